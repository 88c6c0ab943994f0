/** The server of `server.process.ts`, which says on request what memory it holds once everything that can be freed has been. */
import { getHeapCodeStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { setImmediate as turn } from 'node:timers/promises'
import './server.process.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

process.on('message', () => void measure())

async function measure(): Promise<void> {
  // What one collection finalises another one frees.
  for (let times = 0; times < 4; times++) {
    collect()
    await turn()
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  // What the engine compiles of the program comes and goes with how often it runs, for minutes: it says nothing of what is kept.
  const { code_and_metadata_size: compiled, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics()
  process.send!({ usedBytes: heapUsed + external - compiled - bytecode, rss })
}
