import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'

const addressOf = (url: string) => readConfig({ STORAGE_URL: url }).storage

test('files are in the data directory unless a bucket is named', () => {
  expect([readConfig({}).storage, addressOf('')]).toEqual([null, null])
})

test('an address says server, bucket, key and region', () => {
  expect(addressOf('s3://AKIA:ab%2Fcd%2Bef@s3.eu-central-1.amazonaws.com/gatehouse.files?region=eu-central-1')).toEqual({
    endpoint: 'https://s3.eu-central-1.amazonaws.com',
    region: 'eu-central-1',
    bucket: 'gatehouse.files',
    accessKeyId: 'AKIA',
    secretAccessKey: 'ab/cd+ef',
  })
  expect(addressOf('s3://key:secret@[fd00::1]:9000/files?tls=off')).toMatchObject({
    endpoint: 'http://[fd00::1]:9000',
    region: 'us-east-1',
  })
})

test.each([
  ['/srv/files', 'STORAGE_URL must be s3://'],
  ['https://key:hidden@host/bucket', 'STORAGE_URL must be s3://'],
  ['s3://host/bucket', 'STORAGE_URL must be s3://'],
  ['s3://key@host/bucket', 'STORAGE_URL must be s3://'],
  ['s3://key:hid%den@host/bucket', 'STORAGE_URL must be s3://'],
  ['s3://key:hidden/part@host/bucket', 'STORAGE_URL must be s3://'],
  ['s3://key:hidden@host', 'STORAGE_URL must name a bucket'],
  ['s3://key:hidden@host/bucket/folder', 'STORAGE_URL must name a bucket'],
  ['s3://key:hidden@host/Bucket_One', 'STORAGE_URL must name a bucket'],
  ['s3://key:hidden@host/bucket?prefix=a', 'STORAGE_URL knows the settings region and tls, not "prefix"'],
  ['s3://key:hidden@host/bucket?tls=on', 'The tls of STORAGE_URL can only be off'],
])('%s is refused, without repeating the secret', (url, sentence) => {
  expect(() => addressOf(url)).toThrow(sentence)
  expect(() => addressOf(url)).not.toThrow(/hidden/)
})
