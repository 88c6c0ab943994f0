/** Errors that are caused by the state of the database or of a bucket, not by the operation that met them. */

/** 08: connection; 57P0: shutdown, crash, cannot connect now; 53300: too many connections; 55P03, 57014: lock and statement time-outs. */
const SQL_STATE = /^(08...|57P0.|53300|55P03|57014)$/
const SOCKET = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])
/** Code of a bucket that does not answer (`storage/disk.ts`). */
const BUCKET = 'BUCKET_AWAY'
/** The driver's own errors carry no code. */
const DRIVER = new RegExp(
  `^(${[
    'Connection terminated',
    'Client has encountered a connection error',
    'Client was closed',
    'timeout (exceeded|expired) when trying to connect',
    'Query read timeout',
  ].join('|')})`,
  'i',
)

/** Return whether an error, or one of its causes, may disappear once the database or bucket is back. */
export function isPassingFault(error: unknown): boolean {
  for (let depth = 0, each = error; depth < 5 && typeof each === 'object' && each !== null; depth++) {
    const { code, message, errors, cause } = each as { code?: unknown; message?: unknown; errors?: unknown; cause?: unknown }
    if (typeof code === 'string' && (SQL_STATE.test(code) || SOCKET.has(code) || code === BUCKET)) return true
    if (typeof message === 'string' && DRIVER.test(message)) return true
    // A host of several addresses fails with the errors of all of them.
    if (Array.isArray(errors) && errors.some(isPassingFault)) return true
    each = cause
  }
  return false
}

/** Return null in place of what cannot be read; for `catch`. @throws a passing fault, which says nothing about what was to be read */
export function nullUnlessPassing(error: unknown): null {
  if (isPassingFault(error)) throw error
  return null
}
