/** Templates of captures, opened. */
import { embeddingOfBytes, isFiniteEmbedding, type CaptureColumns } from '../faces/index.ts'
import type { Platform } from '../../platform/context.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { CAPTURE_TEMPLATE } from './captures-schema.ts'
import type { TemplateOfCapture } from './search-data.ts'

export interface OpenTemplate extends Pick<TemplateOfCapture, 'id' | 'capturedAt' | 'deviceId'> {
  embedding: Float32Array
}

export interface CaptureTemplates {
  /** Return the templates that can be read; one that was moved or damaged is left out, and logged. */
  open(scope: Scope, rows: readonly TemplateOfCapture[]): Promise<OpenTemplate[]>
  /** Return them as the search takes them. */
  columnsOf(scope: Scope, rows: readonly TemplateOfCapture[]): Promise<CaptureColumns>
}

export function createCaptureTemplates({ crypto }: Pick<Platform, 'crypto'>, { dimensions }: { dimensions: number }): CaptureTemplates {
  const open: CaptureTemplates['open'] = async ({ parkId }, rows) => {
    const read = await crypto.reader(parkId)
    return rows.flatMap(({ id, capturedAt, deviceId, template }) => {
      const bytes = read(placeOf(CAPTURE_TEMPLATE, id), template)
      if (bytes?.byteLength !== dimensions * 4) return []
      const embedding = embeddingOfBytes(bytes)
      return isFiniteEmbedding(embedding) ? [{ id, capturedAt, deviceId, embedding }] : []
    })
  }
  return {
    open,
    async columnsOf(scope, rows) {
      const opened = await open(scope, rows)
      const numbers = new Float32Array(opened.length * dimensions)
      for (const [index, { embedding }] of opened.entries()) numbers.set(embedding, index * dimensions)
      return {
        ids: opened.map(({ id }) => id),
        times: Float64Array.from(opened, ({ capturedAt }) => capturedAt),
        deviceIds: opened.map(({ deviceId }) => deviceId),
        numbers,
      }
    },
  }
}
