// SPDX-License-Identifier: Apache-2.0
// node k8s.mjs FILE...: holds each document of the YAML files against the schema of its kind. Prints one line a document:
// "ok KIND NAME" or "invalid KIND NAME: why". Exit status 1 when one is invalid.
import fs from "node:fs";
import yaml from "js-yaml";

async function model(document) {
  return (await import(`kubernetes-models/${document.apiVersion}/${document.kind}`))[document.kind];
}

let invalid = 0;
for (const file of process.argv.slice(2)) {
  for (const document of yaml.loadAll(fs.readFileSync(file, "utf8"))) {
    const title = `${document.kind} ${document.metadata.name}`;
    try {
      const Model = await model(document);
      new Model(document).validate();
      console.log(`ok ${title}`);
    } catch (error) {
      invalid++;
      console.log(`invalid ${title}: ${error.message}`);
    }
  }
}
process.exit(invalid ? 1 : 0);
