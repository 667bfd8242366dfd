// Every limit of the account, in words.
import { whole } from '../../../../../base/console/format.ts'
import { Fact } from '../../../../../base/console/parts/display.tsx'
import { Disclosure } from '../../../../../base/console/parts/disclosure.tsx'
import { mebibytes, memory } from '../../units.ts'

const known: Readonly<Record<string, readonly [name: string, format: (amount: number) => string]>> = {
  containers: ['Containers', whole],
  memoryMiB: ['Memory of all containers', memory],
  cpu: ['CPUs of all containers', whole],
  images: ['Images', whole],
  imageBytes: ['Size of all images', mebibytes],
  keys: ['API keys', whole],
  execs: ['Commands at once', whole],
  execsPerContainer: ['Commands at once in a container', whole],
  execOutputBytes: ['Output of a streamed command', mebibytes],
  sshSessionsPerContainer: ['SSH sessions of a container', whole],
  files: ['File transfers at once', whole],
  fileBytes: ['Size of a file', mebibytes],
  archiveEntries: ['Entries of an archive', whole],
  builds: ['Builds at once', whole],
  contextBytes: ['Size of a build context', mebibytes],
  buildLogBytes: ['Size of a build log', mebibytes],
  buildLogsBytes: ['Size of all build logs', mebibytes],
  endedBuilds: ['Builds that failed or were cancelled', whole],
  keptBytesPerCommand: ['Kept output of a detached command', mebibytes],
  keptBytes: ['Kept output of all detached commands', mebibytes],
}

export function Limits({ limits }: { readonly limits: Readonly<Record<string, number>> }) {
  const shown = Object.entries(known).filter(([name]) => Object.hasOwn(limits, name))
  return (
    <section class="card">
      <h2>Limits</h2>
      <p class="soft">The operator sets them for every account.</p>
      <Disclosure summary={`Show all ${shown.length} limits`}>
        {() => (
          <dl class="facts overview-limits">
            {shown.map(([name, [title, format]]) => (
              <Fact key={name} name={title}>
                <span class="number">{format(limits[name] ?? 0)}</span>
              </Fact>
            ))}
          </dl>
        )}
      </Disclosure>
    </section>
  )
}
