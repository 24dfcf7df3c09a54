// SPDX-License-Identifier: Apache-2.0
// node k8s.mjs FILE...: holds each document of the YAML files against the schema of its kind. Prints one line a document:
// "ok KIND NAME" or "bad KIND NAME: why". Exit status 1 when one is bad.
import fs from "node:fs";
import yaml from "js-yaml";

async function model(document) {
  return (await import(`kubernetes-models/${document.apiVersion}/${document.kind}`))[document.kind];
}

let bad = 0;
for (const file of process.argv.slice(2)) {
  for (const document of yaml.loadAll(fs.readFileSync(file, "utf8"))) {
    const title = `${document.kind} ${document.metadata.name}`;
    try {
      const Model = await model(document);
      new Model(document).validate();
      console.log(`ok ${title}`);
    } catch (error) {
      bad++;
      console.log(`bad ${title}: ${error.message}`);
    }
  }
}
process.exit(bad ? 1 : 0);
