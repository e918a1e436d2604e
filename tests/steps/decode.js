// What the page makes of recordings: decode.js RECORDING.JS FILE… prints each of
// the files, decoded, as a line of JSON.
const fs = require("fs");
const recording = require(fs.realpathSync(process.argv[2]));
for (const file of process.argv.slice(3))
  console.log(JSON.stringify(recording.decode(fs.readFileSync(file, "utf8")),
    (key, value) => typeof value === "number" && !Number.isFinite(value)
      ? Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf" : value));
