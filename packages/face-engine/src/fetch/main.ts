/** `npm run models`: shows what the better face engine needs, asks, and fetches it. */
import { setGlobalProxyFromEnv } from 'node:http'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { ModelSetInvalid } from '../onnx/model-set.ts'
import { DownloadFailed } from './download.ts'
import { fetchSet, offeredSet, type OfferedSet } from './fetch-set.ts'

const OFFERED = join(import.meta.dirname, '../../models/yunet-sface/model.json')
const USAGE = `Usage: npm run models -- [--to DIR] [--set FILE] [--from ADDRESS] [--yes]
  --to DIR        folder the set goes to (default: ./models, which npm start looks into)
  --set FILE      model.json of another set (default: YuNet and SFace)
  --from ADDRESS  a folder on the web that holds the same files (default: their publisher)
  --yes           fetch without asking

Nothing is fetched unless you say so. A download that was interrupted goes on where it stopped.`

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

function end(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        to: { type: 'string', default: 'models' },
        set: { type: 'string', default: OFFERED },
        from: { type: 'string' },
        yes: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return values
  } catch (error) {
    return end(`${(error as Error).message}\n\n${USAGE}`)
  }
}

function show({ set, parts }: OfferedSet, folder: string): void {
  say(`${set.name}, for ${folder}\n`)
  for (const { address, bytes, file, licence, present, sha256 } of parts) {
    say(`  ${file}   ${megabytes(bytes)}   ${licence}${present ? '   (there already)' : ''}`)
    say(`    from    ${address}`)
    say(`    SHA-256 ${sha256}\n`)
  }
  say(
    set.calibration.measured
      ? `Its error rates were measured on ${set.calibration.source}.`
      : `Its error rates were not measured: ${set.calibration.source}.`,
  )
}

async function agreed(missing: number): Promise<boolean> {
  if (!process.stdin.isTTY) end('\nNobody is there to be asked. Say --yes to fetch it.')
  const asking = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await asking.question(`\nFetch ${megabytes(missing)} and accept these licences? [y/N] `)).trim())
  } finally {
    asking.close()
  }
}

async function run(): Promise<void> {
  const values = readArguments()
  if (values.help) return say(USAGE)
  const { from = null } = values
  if (from !== null && !/^https?:\/\//.test(from)) end(`--from ${from} is no address; it looks like https://files.example/models/.`)
  const folder = resolve(values.to)
  const offer = await offeredSet(values.set, folder, from)
  show(offer, folder)
  const missing = offer.parts.filter(({ present }) => !present).reduce((sum, { bytes }) => sum + bytes, 0)
  if (missing > 0 && !values.yes && !(await agreed(missing))) return say('Nothing was fetched.')

  // A company's proxy is named by HTTPS_PROXY and its like.
  setGlobalProxyFromEnv()
  await fetchSet(offer, folder, (part) => ({ onProgress: progressOf(part) }))
  say(
    `\nThe set is complete. ${folder === resolve('models') ? 'The next npm start uses it.' : `Start with MODEL_DIR=${folder} to use it.`}`,
  )
}

/** One line that grows on a screen; a tenth at a time in a log. */
function progressOf({ bytes, file }: { bytes: number; file: string }): (there: number) => void {
  let reported = -1
  return (there) => {
    const tenth = Math.floor((10 * there) / bytes)
    if (tenth === reported) return
    reported = tenth
    if (process.stdout.isTTY) process.stdout.write(`\r  ${file}   ${10 * tenth} %${tenth === 10 ? '\n' : ''}`)
    else say(`  ${file}   ${10 * tenth} %`)
  }
}

try {
  await run()
} catch (error) {
  if (error instanceof DownloadFailed || error instanceof ModelSetInvalid) end(error.message)
  end(`The models could not be fetched: ${error instanceof Error ? error.message : String(error)}`)
}
