window.book_cards = {"one.html#lst:x":["Listing 1.1","First, e.g. this. Second sentence.","int a;\nint b;"],"term:lane":["lane","One of them."],"term:warp":["warp","32 threads."]};
