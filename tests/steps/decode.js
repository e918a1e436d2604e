// What the page makes of recordings: decode.js RECORDING.MJS FILE… prints each of
// the files, decoded, as a line of JSON.
const fs = require("fs");
const { pathToFileURL } = require("url");
const [decoder, ...files] = process.argv.slice(2);
const infinite = (value) =>
  Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";

import(pathToFileURL(fs.realpathSync(decoder)).href).then(({ decode }) => {
  for (const file of files)
    console.log(JSON.stringify(decode(fs.readFileSync(file, "utf8")),
      (key, value) => typeof value === "number" && !Number.isFinite(value)
        ? infinite(value) : value));
});
