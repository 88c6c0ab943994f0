/** Which errors are the database's state rather than the fault of the statement that met them. */

/** 08: connection; 57P0: shutdown, crash, cannot connect now; 53300: too many connections; 55P03, 57014: lock and statement time-outs. */
const SQL_STATE = /^(08...|57P0.|53300|55P03|57014)$/
const SOCKET = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])
/** The driver's own errors carry no code. */
const DRIVER =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout (exceeded|expired) when trying to connect|Query read timeout)/i

/** Whether an error, or one it was caused by, may pass by itself once the database is back. */
export function isDatabaseFault(error: unknown): boolean {
  for (let depth = 0, each = error; depth < 5 && typeof each === 'object' && each !== null; depth++) {
    const { code, message, errors, cause } = each as { code?: unknown; message?: unknown; errors?: unknown; cause?: unknown }
    if (typeof code === 'string' && (SQL_STATE.test(code) || SOCKET.has(code))) return true
    if (typeof message === 'string' && DRIVER.test(message)) return true
    // A host of several addresses fails with the errors of all of them.
    if (Array.isArray(errors) && errors.some(isDatabaseFault)) return true
    each = cause
  }
  return false
}
