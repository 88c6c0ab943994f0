/** A bucket of an S3 server, by flydrive's driver. Loaded where `STORAGE_URL` names one. */
import { S3Client } from '@aws-sdk/client-s3'
import { S3Driver } from 'flydrive/drivers/s3'
import type { BucketAddress } from './bucket-address.ts'

/** Milliseconds to wait for a connection, and for an answer on it; each request is tried three times. */
const CONNECTION_MS = 5000
const ANSWER_MS = 30_000

/** Return a driver for the bucket of an address. Writes are durable: the server answers once they are. */
export const bucketDriver = ({ endpoint, region, bucket, accessKeyId, secretAccessKey }: BucketAddress): S3Driver =>
  new S3Driver({
    client: new S3Client({
      endpoint,
      region,
      credentials: { accessKeyId, secretAccessKey },
      // Every server supports the bucket in the path; as part of the host name it would need an entry in the DNS.
      forcePathStyle: true,
      // Not all servers support the newer checksums. Requests are signed with a SHA-256 of the bytes, and the bytes are sealed.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: CONNECTION_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
    }),
    bucket,
    // Objects are private by the bucket's own policy; many servers refuse an ACL for each object.
    supportsACL: false,
    visibility: 'private',
  })

/** Return an error that says in a sentence why a bucket cannot be used. */
export function unusable({ endpoint, bucket }: BucketAddress, error: unknown): Error {
  const { name, message, code, $metadata } = error as Error & { code?: string; $metadata?: { httpStatusCode?: number } }
  const status = $metadata?.httpStatusCode
  if (name === 'NoSuchBucket')
    return new Error(`There is no bucket "${bucket}" at ${endpoint}. Make it, or correct STORAGE_URL.`, { cause: error })
  if (status === undefined)
    return new Error(`Nothing answers as S3 at ${endpoint}, which STORAGE_URL names (${code ?? message}).`, { cause: error })
  if (status === 401 || status === 403)
    return new Error(`${endpoint} does not let the key of STORAGE_URL use the bucket "${bucket}" (${name}).`, { cause: error })
  return new Error(`The bucket "${bucket}" at ${endpoint}, which STORAGE_URL names, cannot be used (${name}, HTTP ${status}).`, {
    cause: error,
  })
}
