// A reporter of node:test that prints one line for each file in which a test failed.
import type { TestEvent } from 'node:test/reporters'

export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Set<string>()
  for await (const { type, data } of events) if (type === 'test:fail' && data.file !== undefined) files.add(data.file)
  for (const file of files) yield `${file}\n`
}
