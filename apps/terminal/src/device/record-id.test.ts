import { expect, test } from 'vitest'
import { recordId, uuidV5 } from './record-id.ts'

test('makes the UUID of RFC 9562, appendix A.4', () => {
  expect(uuidV5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2')
})

test('gives a record the same id each time, and every record its own', () => {
  expect(recordId('d', 'e', 1)).toBe(recordId('d', 'e', 1))
  expect(new Set([recordId('d', 'e', 1), recordId('d', 'e', 2), recordId('d', 'f', 1), recordId('c', 'e', 1)]).size).toBe(4)
})
