window.book_sections = {
"pages": [
["one.html","1 One & only"],
["two.html","Two"]],
"sections": [
[0,"","","Before any heading."],
[0,"sec:a","1.1 A","42, \"quoted\" \\ and broken. Next warp, lane, again a warp. int a; int b; Listing 1.1 First, e.g. this. Second sentence. Figure 1.1 Is a < b? Yes. No id"],
[1,"","",""],
[1,"term:warp","warp","32 threads."],
[1,"term:lane","lane","One of them. Table 2.1 Numbers. 1 2 As Listing 1.1 shows."]]};
