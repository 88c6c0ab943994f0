import { expect, test } from 'vitest'
import { plainSql } from './plain-sql.ts'

test('what only psql or a newer PostgreSQL understands is left out', () => {
  const dump = [
    '--',
    '\\restrict 1aB2',
    'SET lock_timeout = 0;',
    'SET transaction_timeout = 0;',
    "INSERT INTO public.note VALUES ('\\restrict, and SET transaction_timeout = 0;');",
    '\\unrestrict 1aB2',
    '',
  ]
  expect(plainSql(dump.join('\n')).split('\n')).toEqual([dump[0], dump[2], dump[4], ''])
})
