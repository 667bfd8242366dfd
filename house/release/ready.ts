// The last step before packing, in the folder of a service: the SBOM goes into the build, and every file gets the mode that it has in
// the package, so that neither the umask of a clone nor that of a build is seen in what is published.
import { chmodSync, copyFileSync, globSync, readFileSync, statSync } from 'node:fs'

const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: readonly string[] }
copyFileSync('docs/reference/sbom.cdx.json', 'dist/sbom.cdx.json')
const isProgram = (file: string): boolean => /^(#!\/|\x7fELF)/.test(readFileSync(file, 'latin1').slice(0, 4))
const packed = ['package.json', ...files.flatMap((one) => [one, ...globSync(`${one}/**/*`)])]
for (const file of packed) if (statSync(file).isFile()) chmodSync(file, isProgram(file) ? 0o755 : 0o644)
