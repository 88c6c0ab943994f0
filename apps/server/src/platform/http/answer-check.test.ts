/** An answer matches the document, with nothing more and nothing less. */
import { callsOf } from '@gatehouse/contract'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkAnswer } from './answer-check.ts'

const call = callsOf('system')

describe('an answer is measured by the document', () => {
  const row = call({
    method: 'GET',
    service: 'biz',
    path: '/row',
    permission: 'self',
    summary: 'A row.',
    query: z.object({ id: z.string() }),
    data: z.object({ id: z.string(), name: z.string().optional() }),
    errors: [100112],
  })
  const answers = (status: number, body: unknown, type = 'application/json; charset=utf-8') =>
    checkAnswer(row, { statusCode: status, getHeader: (name) => (name === 'content-type' ? type : undefined) }, JSON.stringify(body))

  it.each([
    ['the data', 200, { code: 0, message: '', data: { id: '1' } }],
    [
      'a refusal with a code that is named',
      200,
      { code: 100112, message: 'taken', data: { fields: [{ path: 'name', rule: 'code.100112' }] } },
    ],
    [
      'fields that do not fit',
      400,
      { code: 400, message: 'no', data: { fields: [{ path: 'id', rule: 'required', params: { limit: 1 } }] } },
    ],
    ['that there is no such thing', 404, { code: 404, message: 'no' }],
  ])('passes %s', (_, status, body) => {
    expect(() => answers(status, body)).not.toThrow()
  })

  it.each([
    ['a field the contract does not name', 200, { code: 0, message: '', data: { id: '1', secret: 'x' } }],
    ['a field beside the data', 200, { code: 0, message: '', data: { id: '1' }, more: 1 }],
    ['no data', 200, { code: 0, message: '' }],
    ['a code the call does not name', 200, { code: 200005, message: 'taken' }],
    ['a refused request that names no field', 400, { code: 400, message: 'no' }],
    ['a status the call does not describe', 409, { code: 409, message: 'no', data: { fields: [] } }],
  ])('finds %s', (_, status, body) => {
    expect(() => answers(status, body)).toThrow('GET /bizService/uface/v1/row answers HTTP')
  })
})
