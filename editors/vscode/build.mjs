// dist/: the extension with the libraries it needs as one file, a list of those libraries, and parts of it for the tests.
import {build} from "esbuild";
import {copyFileSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";

mkdirSync("dist", {recursive: true});
const made = await build({
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node18",
  external: ["vscode"],
  minify: true,
  legalComments: "none", // licences are shipped whole, in licences/
  metafile: true,
});
const inside = Object.keys(made.metafile.inputs)
  .map((path) => path.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/))
  .filter((found) => found !== null)
  .map(([place, name]) => ({place, name}));
const packages = [...new Map(inside.map((each) => [each.place, each])).values()]
  .map(({place, name}) => ({name, version: JSON.parse(readFileSync(`${place}/package.json`, "utf8")).version}))
  .sort((a, b) => a.name.localeCompare(b.name));
writeFileSync("dist/bundled.json", JSON.stringify(packages, null, 2) + "\n");
await build({
  entryPoints: ["src/extension.ts", "src/command.ts", "src/card.ts"],
  outdir: "dist/parts",
  platform: "node",
  format: "cjs",
  target: "node18",
});
for (const name of ["LICENSE", "THIRD_PARTY.md"]) copyFileSync(`../../${name}`, name);
