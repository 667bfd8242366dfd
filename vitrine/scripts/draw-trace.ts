// Draws docs/guides/trace.svg from the spans of a real read over the sandbox, as a collector receives them: node scripts/draw-trace.ts
import { writeFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { type ReceivedSpan, tracedRead } from '../test/support/otlp.ts'

const [width, row, left, right, top] = [920, 46, 300, 110, 84]
const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2430 }
  .title { font-weight: 600; font-size: 16px } .quiet { fill: #5b6270; font-size: 12px }
  .ground { fill: #ffffff } .grid { stroke: #d9dde4 } .server { fill: #1d4ed8 } .client { fill: #047857 } .failed { fill: #c2410c }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e9ef } .quiet { fill: #a3abb8 } .ground { fill: #14171d } .grid { stroke: #343a46 }
    .server { fill: #7aa5ff } .client { fill: #4ade9f } .failed { fill: #fb923c }
  }`

const startMs = (span: ReceivedSpan): number => Number(BigInt(span.startTimeUnixNano) / 1_000n) / 1_000
const endMs = (span: ReceivedSpan): number => Number(BigInt(span.endTimeUnixNano) / 1_000n) / 1_000
const isServer = ({ kind }: ReceivedSpan): boolean => kind === 2

function describe({ attributes, ...span }: ReceivedSpan): string {
  const attempt = isServer({ attributes, ...span }) ? '' : `attempt ${attributes['vitrine.attempt']}, `
  const code = attributes['vitrine.code']
  return `${attempt}${attributes['http.response.status_code']}${code === undefined ? '' : ` ${code}`}`
}

export function drawTrace(spans: readonly ReceivedSpan[], title: string): string {
  const rows = spans.toSorted((a, b) => startMs(a) - startMs(b))
  const [beginMs, lastMs] = [Math.min(...rows.map(startMs)), Math.max(...rows.map(endMs))]
  const x = (ms: number): number => left + ((ms - beginMs) / (lastMs - beginMs)) * (width - left - right)
  const height = top + rows.length * row + 30
  const bars = rows.map((span, n) => {
    const [y, from, to] = [top + n * row, x(startMs(span)), x(endMs(span))]
    const kind = span.status.code === 2 ? 'failed' : isServer(span) ? 'server' : 'client'
    return `<text x="${isServer(span) ? 20 : 40}" y="${y + 14}">${span.name}</text>
<text class="quiet" x="${isServer(span) ? 20 : 40}" y="${y + 30}">${describe(span)}</text>
<rect class="${kind}" x="${from.toFixed(1)}" y="${y + 4}" width="${Math.max(2, to - from).toFixed(1)}" height="20" rx="3"/>
<text class="quiet" x="${(to + 6).toFixed(1)}" y="${y + 18}">${Math.round(endMs(span) - startMs(span))} ms</text>`
  })
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const at = x(beginMs + part * (lastMs - beginMs)).toFixed(1)
    const text = `${Math.round(part * (lastMs - beginMs))} ms`
    return `<line class="grid" x1="${at}" x2="${at}" y1="${top - 8}" y2="${height - 24}"/><text class="quiet" x="${at}" y="${height - 8}" text-anchor="middle">${text}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<style>${style}</style>
<rect class="ground" width="${width}" height="${height}"/>
<text class="title" x="20" y="28">${title}</text>
<text class="quiet" x="20" y="50">trace ${rows[0]?.traceId}, begun by the caller; service ${rows[0]?.service}</text>
${ticks.join('\n')}
${bars.join('\n')}
</svg>
`
}

if (import.meta.main) {
  const endings: (() => unknown)[] = []
  const context = { after: (ending: () => unknown) => void endings.push(ending) } as unknown as TestContext
  try {
    const event = '3f0c1b52-8a64-4e5e-9d10-0e0000000003'
    const path = `/v1/connections/demo/events/${event}/localizations/en-US/event-screenshots/ids`
    const before = '/v1/connections/demo/apps/6446998001/events?limit=1'
    const trouble = ['latency=120', '503:2@/v1/appEvent']
    const { spans, program, traceId } = await tracedRead(context, { path, trouble, before })
    await program.stop()
    const mine = spans.filter((span) => span.traceId === traceId)
    const title = 'A read by exact locale: a lookup, then a call that failed and was repeated'
    writeFileSync('docs/guides/trace.svg', drawTrace(mine, title))
  } finally {
    for (const ending of endings.toReversed()) await ending()
  }
}
