/** The address of a bucket in `STORAGE_URL`. */

export interface BucketAddress {
  /** `https://host:port` of the S3 server. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** The region that most servers other than Amazon's accept. */
const REGION = 'us-east-1'
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const SETTINGS = ['region', 'tls']

/** Return a percent-decoded part of an address; empty where the encoding is invalid. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** Parse the address of a bucket. @throws Error with a sentence that does not repeat the address, which contains a secret */
export function bucketAddress(text: string): BucketAddress {
  const url = URL.parse(text)
  const [accessKeyId, secretAccessKey] = [decoded(url?.username ?? ''), decoded(url?.password ?? '')]
  if (url?.protocol !== 's3:' || url.hostname === '' || accessKeyId === '' || secretAccessKey === '')
    throw new Error('STORAGE_URL must be s3://key:secret@host:port/bucket, with %2F for each / of the secret and %2B for each +')
  const bucket = url.pathname.slice(1)
  if (!BUCKET.test(bucket))
    throw new Error('STORAGE_URL must name a bucket behind the host, and no folder in it: s3://key:secret@host/bucket')
  const unknown = [...url.searchParams.keys()].find((name) => !SETTINGS.includes(name))
  if (unknown !== undefined) throw new Error(`STORAGE_URL knows the settings ${SETTINGS.join(' and ')}, not "${unknown}"`)
  const tls = url.searchParams.get('tls')
  if (tls !== null && tls !== 'off') throw new Error('The tls of STORAGE_URL can only be off')
  return {
    endpoint: `${tls === 'off' ? 'http' : 'https'}://${url.host}`,
    region: url.searchParams.get('region') ?? REGION,
    bucket,
    accessKeyId,
    secretAccessKey,
  }
}
