/** The limit of an address, and what counts as one address. */
import { expect, test } from 'vitest'
import { createAddressLimit, networkOf } from './address-limit.ts'
import { TooManyTries } from './refusal.ts'

test('an IPv4 address counts by itself, in whichever way it is written', () => {
  expect(networkOf('203.0.113.9')).toBe('203.0.113.9')
  expect(networkOf('::ffff:203.0.113.9')).toBe('203.0.113.9')
  expect(networkOf('::FFFF:203.0.113.9')).toBe('203.0.113.9')
})

test('IPv6 addresses count by their network of 64 bits', () => {
  const network = '2001:db8:0:7::/64'
  for (const ip of ['2001:db8:0:7::1', '2001:0DB8:0000:0007:a:b:c:d', '2001:db8:0:7:ffff::', '2001:db8::7:0:0:0:1'])
    expect(networkOf(ip), ip).toBe(network)
  expect(networkOf('2001:db8:0:8::1')).not.toBe(network)
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
})

test('so many requests are let through in a window, of each address', () => {
  let now = 1000
  const count = createAddressLimit({ now: () => now }, { requests: 2, minutes: 1 })
  const waits: number[] = []
  const isRefused = (ip: string): boolean => {
    try {
      count(ip)
      return false
    } catch (error) {
      expect(error).toBeInstanceOf(TooManyTries)
      waits.push((error as TooManyTries).retryAfter)
      return true
    }
  }
  expect(['a', 'a', 'a', 'b', 'a'].map(isRefused)).toEqual([false, false, true, false, true])
  now += 40_500
  expect(isRefused('a')).toBe(true)
  expect(waits).toEqual([60, 60, 20])
  now += 19_500
  expect(['a', 'a', 'a'].map(isRefused)).toEqual([false, false, true])
})

test('counting very many addresses takes bounded memory, and forgets the oldest first', () => {
  const count = createAddressLimit({ now: () => 0 }, { requests: 1, minutes: 1 })
  for (let host = 0; host < 60_000; host++) count(`host ${host}`)
  expect(() => count('host 0')).not.toThrow()
  expect(() => count('host 59999')).toThrow(TooManyTries)
})
