// The bytes of a packed text, gzip in base64.
export async function unpack(packed) {
  const data = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([data]).stream()
    .pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}
