// Prints what AsyncAPI's own parser finds wrong with a document, one line for each error. Status 1 if there is any.
const fs = require("fs");
const { Parser } = require("@asyncapi/parser");

new Parser().parse(fs.readFileSync(process.argv[2], "utf8")).then(({ document, diagnostics }) => {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 0);
  for (const error of errors) console.log(`${error.path.join(".")}: ${error.message}`);
  if (!document) console.log("no document");
  else console.log(`${document.allChannels().length} channels, ${document.allOperations().length} operations`);
  process.exit(errors.length || !document ? 1 : 0);
});
