import { expect, test } from 'vitest'
import { BadOption, HELP, optionsOf } from './command-line.ts'
import { FAULTS } from './faults.ts'

test('numbers, faults and a server are read', () => {
  const words = (
    '--devices 1000 --rate 50 --persons 2000 --faults cuts,drift --seed 7 --server http://gate.example:8080/ --user admin ' +
    '--password secret --keep'
  ).split(' ')
  expect(optionsOf(words)).toMatchObject({
    devices: 1000,
    rate: 50,
    persons: 2000,
    faults: ['cuts', 'drift'],
    seed: 7,
    server: { url: 'http://gate.example:8080', user: 'admin', password: 'secret' },
    keep: true,
  })
})

test('without words it is a world of its own, and the seed is there to be printed', () => {
  const options = optionsOf([])!
  expect(options).toMatchObject({ server: null, faults: [], keep: false, aiBoxes: 0 })
  expect(optionsOf(['--ai-boxes', '3', '--ai-rate', '5'])).toMatchObject({ aiBoxes: 3, aiRate: 5 })
  expect(Number.isInteger(options.seed)).toBe(true)
  expect(optionsOf(['--faults', 'all'])!.faults).toEqual(Object.keys(FAULTS))
})

test('help names every fault', () => {
  expect(optionsOf(['--help'])).toBeNull()
  for (const fault of Object.keys(FAULTS)) expect(HELP).toContain(fault)
})

test.each([
  ['--devices 0', '--devices'],
  ['--rate many', '--rate'],
  ['--faults cuts,thunder', 'thunder'],
  ['--server gate.example --user a --password b', 'address'],
  ['--server http://gate.example', '--user'],
  ['--devises 5', 'devises'],
])('%s is refused with the reason', (words, reason) => {
  expect(() => optionsOf(words.split(' '))).toThrow(BadOption)
  expect(() => optionsOf(words.split(' '))).toThrow(reason)
})
