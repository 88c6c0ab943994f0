/** A limit on requests per address for calls that cost or store something, counted before anything is done for the request. */
import { isIP } from 'node:net'
import type { AddressLimit } from '@gatehouse/contract'
import type { Clock } from '../time/clock.ts'
import { TooManyTries } from './refusal.ts'

/** Addresses counted at a time; beyond it the oldest windows are forgotten. */
const ADDRESSES_MAX = 50_000

/**
 * Return what counts as one address: an IPv4 address, or the /64 network of an IPv6 address. A single household is assigned a whole /64,
 * so its hosts could otherwise use a new address for every request.
 */
export function networkOf(ip: string): string {
  if (isIP(ip) !== 6) return ip
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'))
  const [before, after] = ip.split('%')[0]!.split('::')
  const [first, last] = [groupsOf(before!), groupsOf(after ?? '')]
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  const network = [...first, ...zeros, ...last].slice(0, 4)
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/**
 * Return a function that counts the requests of an address. Each server counts in its own memory: the limit bounds the work and the rows
 * one address can cause here; it does not protect a secret.
 *
 * @throws TooManyTries from the function, for requests beyond the limit in a window
 */
export function createAddressLimit(clock: Clock, { requests, minutes }: AddressLimit): (ip: string) => void {
  const windows = new Map<string, { count: number; until: number }>()

  /** All windows have the same length and are in the order of their start, so those that have ended come first. */
  function forgetEnded(now: number): void {
    for (const [network, { until }] of windows) {
      if (until > now && windows.size < ADDRESSES_MAX) return
      windows.delete(network)
    }
  }

  return (ip) => {
    const [network, now] = [networkOf(ip), clock.now()]
    const running = windows.get(network)
    if (running !== undefined && running.until > now) {
      if (++running.count > requests) throw new TooManyTries(running.until - now)
      return
    }
    windows.delete(network)
    forgetEnded(now)
    windows.set(network, { count: 1, until: now + minutes * 60_000 })
  }
}
