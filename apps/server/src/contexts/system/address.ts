/** The address under which terminals, links in mails and QR codes reach the installation. */
import { isIP } from 'node:net'
import { z } from 'zod'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { defineSetting, type Settings } from '../organisation/index.ts'
import type { Domains } from './domains.ts'

const addressSetting = defineSetting('system.address', z.object({ ip: z.string() }), { ip: '' })

const DIGIT = /\p{Nd}/u

/** Return a text with digits of any script as 0 to 9, and full-width points and colons as plain ones. */
function plain(text: string): string {
  return text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0)!
    let zero = code
    // The ten digits of each script are consecutive, beginning with zero.
    while (DIGIT.test(String.fromCodePoint(zero - 1))) zero--
    return String((code - zero) % 10)
  })
}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i
/** Points and digits only: meant as an IP address. */
const NUMERIC = /^[\d.]+$/

/**
 * Return an IP address or host name, with or without a port, as it is written in a URL.
 *
 * @returns null where the text is neither
 */
export function readHost(given: string): string | null {
  const text = plain(given.trim())
  if (isIP(text) === 6) return `[${text.toLowerCase()}]`
  const [, bracketed, name, port] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? []
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return null
  const tail = port === undefined ? '' : `:${Number(port)}`
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? `[${bracketed.toLowerCase()}]${tail}` : null
  if (name === undefined || (NUMERIC.test(name) ? isIP(name) !== 4 : !HOST_NAME.test(name))) return null
  return `${name.toLowerCase()}${tail}`
}

export interface Address {
  /** Return the address that was set; empty where none was. */
  ip(): string
  /**
   * Return the base address of links, such as `http://192.168.1.20:8080`: the domain of the organisation or of the nearest one above it,
   * else the address that was set; null where there is neither.
   */
  public(organisationId?: string): string | null
  /** @throws InvalidRequest */
  save(ip: string): Promise<void>
}

/** Scheme and port under which the server listens. */
interface Listening {
  scheme: 'http' | 'https'
  port: number
}
const PORT_OF = { http: 80, https: 443 }

/** @param listening its port is left out where it is the scheme's default, or where the address names its own */
export function createAddress(settings: Settings, domains: Domains, listening: () => Listening): Address {
  const ip = (): string => settings.read(INSTALLATION_ID, addressSetting).ip

  function direct(): string | null {
    const host = ip()
    if (host === '') return null
    const { scheme, port } = listening()
    return /:\d+$/.test(host) || port === PORT_OF[scheme] || port === 0 ? `${scheme}://${host}` : `${scheme}://${host}:${port}`
  }

  return {
    ip,
    public: (organisationId) => (organisationId === undefined ? undefined : domains.of(organisationId)?.address) ?? direct(),
    async save(given) {
      const host = readHost(given)
      if (host === null) throw new InvalidRequest([{ path: 'ip', rule: 'host' }])
      await settings.write(INSTALLATION_ID, addressSetting, { ip: host })
    },
  }
}
