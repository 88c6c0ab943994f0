/** Work measured by the engine itself, whatever the code says it did: the same on a slow machine and a busy one. */
import { Session } from 'node:inspector/promises'
import { setFlagsFromString } from 'node:v8'

/** Compilers whose code does not count. */
const COMPILERS = ['opt', 'maglev']

/** How often functions, branches and loop bodies of some files are entered while something is done. @param files told by their addresses */
export async function blocksEntered(files: RegExp, work: () => Promise<void> | void): Promise<number> {
  const session = new Session()
  session.connect()
  for (const compiler of COMPILERS) setFlagsFromString(`--no-${compiler}`)
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const ranges = result.filter(({ url }) => files.test(url)).flatMap(({ functions }) => functions.flatMap((one) => one.ranges))
    return ranges.reduce((sum, { count }) => sum + count, 0)
  } finally {
    for (const compiler of COMPILERS) setFlagsFromString(`--${compiler}`)
    session.disconnect()
  }
}
