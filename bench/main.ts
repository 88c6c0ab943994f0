/** `npm run bench [-- NAME…] [--json]`: runs the named benchmarks, all of them without a name, and prints their results. */
import type { BenchResult } from './result.ts'
import './settings.ts'

interface Benchmark {
  run(): Promise<BenchResult[]>
}

/** Loaded when run: a benchmark must not warm up what another one measures. */
const BENCHMARKS: Record<string, () => Promise<Benchmark>> = {
  alarms: () => import('./alarms.ts'),
  'capture-day': () => import('./capture-day.ts'),
  'capture-search': () => import('./capture-search.ts'),
  bubbles: () => import('./bubbles.ts'),
  camera: () => import('./camera.ts'),
  console: () => import('./console.ts'),
  database: () => import('./database.ts'),
  devices: () => import('./devices.ts'),
  doors: () => import('./doors.ts'),
  exports: () => import('./exports.ts'),
  imports: () => import('./imports.ts'),
  people: () => import('./people.ts'),
  faces: () => import('./faces.ts'),
  gallery: () => import('./gallery.ts'),
  ingest: () => import('./ingest.ts'),
  installation: () => import('./installation.ts'),
  list: () => import('./list.ts'),
  live: () => import('./live.ts'),
  parsing: () => import('./parsing.ts'),
  rules: () => import('./rules.ts'),
  records: () => import('./records.ts'),
  replay: () => import('./replay.ts'),
  search: () => import('./search.ts'),
  surveillance: () => import('./surveillance.ts'),
  synchronisation: () => import('./synchronisation.ts'),
  terminal: () => import('./terminal-store.ts'),
  verdict: () => import('./verdict.ts'),
  visits: () => import('./visits.ts'),
}

const words = process.argv.slice(2)
const asJson = words.includes('--json')
const requested = words.filter((word) => word !== '--json')
const unknown = requested.filter((name) => !(name in BENCHMARKS))
if (unknown.length > 0) {
  process.stderr.write(`Unknown benchmark: ${unknown.join(', ')}. Known are: ${Object.keys(BENCHMARKS).join(', ')}.\n`)
  process.exit(1)
}

const names = requested.length > 0 ? requested : Object.keys(BENCHMARKS)
const results: (BenchResult & { benchmark: string })[] = []
for (const name of names) {
  const load = BENCHMARKS[name]
  if (!load) continue
  if (!asJson) process.stderr.write(`${name} …\n`)
  const { run } = await load()
  try {
    for (const result of await run()) results.push({ benchmark: name, ...result })
  } catch (error) {
    // The results of the others, half an hour of work, are not lost with it.
    process.stderr.write(`${name} failed: ${error instanceof Error ? error.stack : String(error)}\n`)
    process.exitCode = 1
  }
}
process.stdout.write(asJson ? `${JSON.stringify(results, null, 2)}\n` : `${table(results)}\n`)

function table(rows: readonly (BenchResult & { benchmark: string })[]): string {
  const header = ['benchmark', 'what', 'value', 'ratio', 'to', 'goal', '']
  const cells = rows.map((row) => [
    row.benchmark,
    row.name,
    `${number(row.value)} ${row.unit}${row.interval ? ` (${row.interval.map(number).join(' to ')})` : ''}`,
    row.ratio === undefined ? '' : row.ratio.toFixed(2),
    row.ratioTo ?? '',
    row.goal === undefined ? '' : `≤ ${row.goal}`,
    row.goal === undefined ? '' : (row.ratio ?? row.value) <= row.goal ? 'met' : 'missed',
  ])
  const widths = header.map((title, column) => Math.max(title.length, ...cells.map((line) => line[column]?.length ?? 0)))
  return [header, ...cells]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function number(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 4 })
}
