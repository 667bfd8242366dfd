// Builds the service for the package into dist/vitrine/src: fewer, larger files, since each module of a start costs its own look-ups
// and reads. Packages are not built in: an installation has them, and scanners and audits see them there.
import { join } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '../..')
const source = join(root, 'vitrine/src')

await build({
  root,
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: 'warn',
  ssr: { external: true, target: 'node' },
  build: {
    ssr: true,
    outDir: join(root, 'vitrine/dist/vitrine/src'),
    target: 'node24',
    // names of functions are read in the stacks of errors
    minify: false,
    reportCompressedSize: false,
    rollupOptions: {
      input: {
        main: join(source, 'main.ts'),
        // started as a worker
        'sqlite-append-thread': join(root, 'base/store/sqlite-append-thread.ts'),
      },
      output: {
        format: 'es',
        // as deep as the sources, which find the launcher and the console from where they are
        entryFileNames: ({ name }) => (name === 'main' ? 'main.js' : 'parts/[name].js'),
        chunkFileNames: 'parts/[name]-[hash].js',
      },
    },
  },
})
