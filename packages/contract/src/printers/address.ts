/** Addresses of network printers. */
import { z } from 'zod'
import { rule } from '../validation.ts'

const SCHEMES: ReadonlySet<string> = new Set(['ipp:', 'ipps:', 'http:', 'https:'])
/** Port of the Internet Printing Protocol (RFC 8010, section 4). */
export const IPP_PORT = 631
const ADDRESS_MAX = 200

/** Return whether a text is an address that print jobs can be sent to: without credentials, query or fragment. */
export function isPrinterAddress(value: string): boolean {
  // A scheme that browsers do not know keeps whatever stands where the host should be, so the letters are checked first.
  if (!/^[a-z]+:\/\/[A-Za-z0-9.[\]:-]+(\/[A-Za-z0-9._~%/-]*)?$/.test(value) || !URL.canParse(value)) return false
  const { protocol, hostname, username, password } = new URL(value)
  return SCHEMES.has(protocol) && hostname !== '' && username === '' && password === ''
}

/** An address such as `ipp://printer.example.org/ipp/print`. */
export const printerAddress = z.string().trim().max(ADDRESS_MAX).refine(isPrinterAddress, rule('printerAddress'))
