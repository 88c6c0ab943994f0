/** Work measured by the JavaScript engine itself: the count is the same on a slow machine and on a busy one. */
import { Session } from 'node:inspector/promises'
import { setFlagsFromString } from 'node:v8'

/** Compilers whose code is not counted. */
const COMPILERS = ['opt', 'maglev']

/**
 * Return how often functions, branches and loop bodies of some files are entered during `work`. @param files selected by their addresses
 */
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
