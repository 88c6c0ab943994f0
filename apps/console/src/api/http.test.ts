import { expect, test, vi } from 'vitest'
import { customerCalls } from '@gatehouse/contract/people/customers'
import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import { exchange, familyOf, searchOf } from './http.ts'
import { saveFile } from './saveFile.ts'
import { fakeBrowser } from './testing/browser.ts'

test('a query leaves out what is empty and repeats lists', () => {
  expect(searchOf({ name: '', page: 1, ids: ['a', 'b'], status: 0, phone: undefined })).toBe('?page=1&ids=a&ids=b&status=0')
  expect(searchOf({})).toBe('')
})

test.each([
  ['basic', 400, 901, 'login'],
  ['self', 200, 901, 'http'],
  ['basic', 400, 100401, 'business'],
  ['person.list', 200, 200215, 'business'],
  ['person.list', 404, 404, 'http'],
  ['person.list', 200, 299999, 'business'],
] as const)('%s, HTTP %i, code %i belongs to the family %s', (permission, status, code, family) => {
  expect(familyOf({ permission }, status, code)).toBe(family)
})

test('a call that takes a form with a file, or JSON, is sent JSON where there is no file', async () => {
  const browser = await fakeBrowser()
  const sent = vi.spyOn(globalThis, 'fetch')
  const body = { versionId: 'v', deviceIds: ['a', 'b'] }
  for (const _ of [1, 2]) browser.answer({ code: 0, data: { id: 'task' } })
  await exchange(upgradeCalls.addTask, { body })
  await exchange(upgradeCalls.addTask, { body: { versionNumber: '7' }, file: new Blob(['tar']) })
  const bodies = sent.mock.calls.map(([, init]) => init?.body)
  expect(JSON.parse(bodies[0] as string)).toEqual(body)
  expect((bodies[1] as FormData).get('versionNumber')).toBe('7')
})

test('a file is saved under the name the server gave it [BEH-105]', async () => {
  await fakeBrowser()
  const bytes = new Response('rows', { headers: { 'Content-Disposition': "attachment; filename*=UTF-8''%E5%AE%A2%E6%88%B7%202026.xlsx" } })
  vi.stubGlobal('fetch', async () => bytes)
  const file = await exchange(customerCalls.expired, {})
  expect([file.name, await file.blob.text()]).toEqual(['客户 2026.xlsx', 'rows'])

  const link = { href: '', download: '', click: vi.fn<() => void>() }
  vi.stubGlobal('document', { createElement: () => link })
  vi.stubGlobal('URL', { createObjectURL: (blob: Blob) => `blob:${blob.size}`, revokeObjectURL: () => {} })
  vi.useFakeTimers()
  saveFile(file)
  expect([link.href, link.download, link.click.mock.calls.length]).toEqual(['blob:4', '客户 2026.xlsx', 1])
  vi.useRealTimers()
})
