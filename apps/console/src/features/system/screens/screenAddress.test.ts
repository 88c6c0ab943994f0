import { expect, test } from 'vitest'
import { screenAddress } from './screenAddress.ts'

test('a data screen opens over http in a privatised installation, over https elsewhere', () => {
  const here = { host: 'gate.example.org:8080', pathname: '/' }
  expect(screenAddress(here, true)).toBe('http://gate.example.org:8080/#/dataScreen')
  expect(screenAddress(here, false)).toBe('https://gate.example.org:8080/#/dataScreen')
})
