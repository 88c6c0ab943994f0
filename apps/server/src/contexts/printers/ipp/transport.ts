/**
 * Requests to printers over HTTP. Their addresses are set by administrators, so the server sends requests to where they choose: nothing of
 * an answer is shown but what the protocol defines, redirects are not followed, and addresses that only this machine or its host answers
 * by itself are refused.
 */
import { lookup, type LookupAddress } from 'node:dns'
import { request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { IPP_PORT } from '@gatehouse/contract/printers/address'
import { PrinterFault } from './fault.ts'

const CONTENT_TYPE = 'application/ipp'
/** Bytes of an answer; the attributes of a large printer take some ten thousand. */
const ANSWER_MAX = 256 * 1024
/** Milliseconds for a whole request: a printer may stop taking bytes while it warms up. */
const REQUEST_MS = 30_000

/** Addresses that no printer has: this host, those a link gives itself and hosts of clouds answer at, multicast and reserved ones. */
const blocked = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  blocked.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
] as const)
  blocked.addSubnet(network, prefix, 'ipv6')

/** Return whether requests are sent to an IP address. IPv4 addresses within IPv6 ones are judged as what they are. */
export const isAllowedAddress = (address: string): boolean => {
  const version = isIP(address)
  return version !== 0 && !blocked.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/** Look a name up, and refuse what it stands for at the moment of the connection, so that a name cannot change its meaning in between. */
const guardedLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error !== null) return callback(error, '')
    const allowed = addresses.filter(({ address }) => isAllowedAddress(address))
    const [first] = allowed
    if (first === undefined) return callback(new PrinterFault('addressRefused', `${hostname} stands for a refused address`, true), '')
    if (options.all === true) return callback(null, allowed)
    callback(null, first.address, first.family)
  })
}

/** Return where requests for a printer are sent: `ipp` is HTTP at a port of its own. */
function targetOf(address: string): { isSecure: boolean; hostname: string; port: number; path: string } {
  const { protocol, hostname, port, pathname } = new URL(address)
  const isSecure = protocol === 'ipps:' || protocol === 'https:'
  const usual = protocol === 'http:' ? 80 : protocol === 'https:' ? 443 : IPP_PORT
  return { isSecure, hostname: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port), path: pathname || '/' }
}

/** Return the name of a printer within the protocol, which is always one of the scheme `ipp` or `ipps`. */
export function printerUriOf(address: string): string {
  const { isSecure, hostname, port, path } = targetOf(address)
  return `${isSecure ? 'ipps' : 'ipp'}://${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}${path}`
}

const CERTIFICATE_ERRORS = /^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_SSL)/

/** Return what a failed connection means. All that says whether a port is open is one word: addresses must not be searched this way. */
function faultOf(error: unknown): PrinterFault {
  if (error instanceof PrinterFault) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  return CERTIFICATE_ERRORS.test(code) ? new PrinterFault('certificate', message, true) : new PrinterFault('unreachable', message)
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > ANSWER_MAX) throw new PrinterFault('wrongAnswer', 'the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function checkHead({ statusCode = 0, headers }: IncomingMessage): void {
  if (statusCode === 401 || statusCode === 403) throw new PrinterFault('refused', `HTTP ${statusCode}`, true)
  if (statusCode !== 200) throw new PrinterFault('wrongAnswer', `HTTP ${statusCode}`)
  if (!(headers['content-type'] ?? '').startsWith(CONTENT_TYPE)) throw new PrinterFault('wrongAnswer', 'the answer is of another type')
}

/** Sends a request to a printer and returns the answer. @throws PrinterFault; the reason of the signal once that is aborted */
export type SendToPrinter = (address: string, message: Buffer, signal: AbortSignal) => Promise<Buffer>

export const sendToPrinter: SendToPrinter = async (address, message, signal) => {
  const { isSecure, hostname, port, path } = targetOf(address)
  if (isIP(hostname) !== 0 && !isAllowedAddress(hostname)) throw new PrinterFault('addressRefused', `${hostname} is refused`, true)
  const headers = { 'Content-Type': CONTENT_TYPE, Accept: CONTENT_TYPE, 'Content-Length': message.length }
  const options: RequestOptions = {
    method: 'POST',
    hostname,
    port,
    path,
    headers,
    lookup: guardedLookup,
    // A connection of its own: printers close idle ones without notice.
    agent: false,
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
  }
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const request = (isSecure ? secureRequest : plainRequest)(options, (response) => {
        try {
          checkHead(response)
        } catch (error) {
          response.destroy()
          reject(error as Error)
          return
        }
        bodyOf(response).then(resolve, reject)
      })
      request.on('error', reject)
      request.end(message)
    })
  } catch (error) {
    signal.throwIfAborted()
    throw faultOf(error)
  }
}
