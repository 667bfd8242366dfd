// The last step before packing: the list of parts goes into the build, and every file gets the mode that it has in the package,
// so that neither the umask of a clone nor that of a build is seen in what is published.
import { chmodSync, copyFileSync, globSync, readFileSync, statSync } from 'node:fs'

const { files, bin } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  files: readonly string[]
  bin: Readonly<Record<string, string>>
}
copyFileSync('docs/reference/sbom.cdx.json', 'dist/sbom.cdx.json')
const programs = new Set(Object.values(bin))
const packed = ['package.json', ...files.flatMap((one) => [one, ...globSync(`${one}/**/*`)])]
for (const file of packed) if (statSync(file).isFile()) chmodSync(file, programs.has(file) ? 0o755 : 0o644)
