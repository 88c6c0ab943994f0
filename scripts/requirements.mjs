/** What the machine must bring; all else is installed. */

const OLDEST_NODE = 20
const OLDEST_GLIBC = [2, 28]

/** A sentence saying what is missing, or undefined. */
export function missingRequirement() {
  const major = Number(process.versions.node.split('.')[0])
  if (major < OLDEST_NODE)
    return `Gatehouse needs Node.js ${OLDEST_NODE} or newer to start; this is ${process.version} (${process.execPath}).`
  if (process.platform !== 'linux') return undefined
  const glibc = glibcVersion()
  if (!glibc) return 'Gatehouse needs a Linux with glibc; this one has another C library (Alpine, for example, has musl).'
  const [majorGlibc, minorGlibc] = glibc.split('.').map(Number)
  const isOld = majorGlibc < OLDEST_GLIBC[0] || (majorGlibc === OLDEST_GLIBC[0] && minorGlibc < OLDEST_GLIBC[1])
  return isOld ? `Gatehouse needs glibc ${OLDEST_GLIBC.join('.')} or newer; this Linux has ${glibc}.` : undefined
}

function glibcVersion() {
  // Without this the report looks up every address of the machine, which can take seconds.
  process.report.excludeNetwork = true
  const report = process.report.getReport()
  return (typeof report === 'string' ? JSON.parse(report) : report).header.glibcVersionRuntime
}
