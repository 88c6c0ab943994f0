/** Faults that pass by themselves are distinguished from faulty statements. */
import { expect, it } from 'vitest'
import { isPassingFault } from './passing-fault.ts'

const withCode = (code: string) => Object.assign(new Error('no words'), { code })

it.each(['08006', '08P01', '57P01', '57P02', '57P03', '53300', '55P03', '57014', 'ECONNREFUSED', 'ECONNRESET'])(
  'takes %s for a fault of the database',
  (code) => {
    expect(isPassingFault(withCode(code))).toBe(true)
  },
)

it.each(['23505', '22P02', '40001', '42P01', '57000', 'ENOENT'])('takes %s for a fault of the statement', (code) => {
  expect(isPassingFault(withCode(code))).toBe(false)
})

it('knows the words of the driver, a cause, and the errors of several addresses', () => {
  expect(isPassingFault(new Error('Connection terminated unexpectedly'))).toBe(true)
  expect(isPassingFault(new Error('not stored', { cause: withCode('57P01') }))).toBe(true)
  expect(isPassingFault(new AggregateError([withCode('ECONNREFUSED')]))).toBe(true)
})

it('takes nothing else for one', () => {
  for (const other of [new Error('terminated by the guard'), null, undefined, 'ECONNREFUSED', 57_014, { code: 57_014 }])
    expect(isPassingFault(other)).toBe(false)
  const circular = new Error('a cause of itself')
  circular.cause = circular
  expect(isPassingFault(circular)).toBe(false)
})
