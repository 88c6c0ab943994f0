/** A real S3 server on this machine, which keeps its objects in memory. */
import {
  S3Client,
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { buildApp } from 'fauxqs'
import { onTestFinished } from 'vitest'

const [KEY, SECRET] = ['gatehouse', 'secret/with+signs']

export interface Bucket {
  /** For STORAGE_URL. */
  url: string
  /** Return the keys of all objects, in order. */
  keys(): Promise<string[]>
  /** Return the bytes of an object as the server has them; null where there is none. */
  read(key: string): Promise<Buffer | null>
  write(key: string, bytes: Uint8Array): Promise<void>
  remove(key: string): Promise<void>
}

export interface ObjectStore {
  port: number
  /** Make an empty bucket. */
  bucket(): Promise<Bucket>
  /** Requests the server has received, as `METHOD /path`, in order. */
  requests: string[]
  /** While `status` is set, every request is answered with it and nothing is done; null: requests are served. */
  fault: { status: number | null }
  stop(): Promise<void>
}

/** Listen on a free port; the caller stops it. */
export async function startObjectStore(): Promise<ObjectStore> {
  const requests: string[] = []
  const fault: ObjectStore['fault'] = { status: null }
  const app = buildApp({ logger: false, host: '127.0.0.1' })
  app.addHook('onRequest', async (request, reply) => {
    requests.push(`${request.method} ${request.url}`)
    if (fault.status !== null) return reply.code(fault.status).send('')
    // Other servers also check the signature.
    if (!request.headers.authorization?.includes(`Credential=${KEY}/`))
      return reply
        .code(403)
        .type('application/xml')
        .send('<Error><Code>InvalidAccessKeyId</Code><Message>There is no such key.</Message></Error>')
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: KEY, secretAccessKey: SECRET },
    forcePathStyle: true,
  })
  let count = 0
  return {
    port,
    requests,
    fault,
    async bucket() {
      const name = `gatehouse-${++count}`
      await client.send(new CreateBucketCommand({ Bucket: name }))
      return {
        url: `s3://${KEY}:${encodeURIComponent(SECRET)}@127.0.0.1:${port}/${name}?tls=off`,
        async keys() {
          const keys: string[] = []
          let token: string | undefined
          do {
            const page = await client.send(new ListObjectsV2Command({ Bucket: name, ContinuationToken: token }))
            keys.push(...(page.Contents ?? []).map(({ Key }) => Key!))
            token = page.NextContinuationToken
          } while (token !== undefined)
          return keys.toSorted()
        },
        async read(key) {
          try {
            const { Body } = await client.send(new GetObjectCommand({ Bucket: name, Key: key }))
            return Buffer.from(await Body!.transformToByteArray())
          } catch (error) {
            if ((error as Error).name === 'NoSuchKey') return null
            throw error
          }
        },
        async write(key, bytes) {
          await client.send(new PutObjectCommand({ Bucket: name, Key: key, Body: bytes }))
        },
        async remove(key) {
          await client.send(new DeleteObjectCommand({ Bucket: name, Key: key }))
        },
      }
    },
    async stop() {
      client.destroy()
      await app.close()
    },
  }
}

/** Start an object store that stops when the test ends. */
export async function objectStoreForTest(): Promise<ObjectStore> {
  const store = await startObjectStore()
  onTestFinished(store.stop)
  return store
}
