import { expect, test } from 'vitest'
import { linkAddress, screenAddress } from './screenAddress.ts'

test('a data screen opens over http in a privatised installation, over https elsewhere', () => {
  const here = { host: 'gate.example.org:8080', pathname: '/' }
  expect(screenAddress(here, true)).toBe('http://gate.example.org:8080/#/dataScreen')
  expect(screenAddress(here, false)).toBe('https://gate.example.org:8080/#/dataScreen')
})

test('a link brings area code, language and token along, and its end where it has one', () => {
  const here = { host: 'gate.example.org', pathname: '/' }
  const link = { token: 'screen_abc', areaCode: '100002', language: 'zh-TW', endsAt: null }
  expect(linkAddress(here, true, link)).toBe('http://gate.example.org/#/dataScreen?ac=100002&l=zh-TW&tk=screen_abc')
  expect(linkAddress(here, true, { ...link, endsAt: 1_800_000_000_000 })).toMatch(/&expires=1800000000000$/)
})
