/** Error rates measured on the installation's own photographs, kept over time. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { masked } from '../masking.ts'
import { created, id, idParams, instant, pageData, pageQuery } from '../schema.ts'
import { workState } from '../work.ts'

const call = callsOf('faces')

/** A share of trials with its confidence interval of 95 %, by persons. */
export const measuredRate = z.object({ rate: z.number(), low: z.number(), high: z.number() })
export type MeasuredRate = z.output<typeof measuredRate>

/** Both kinds of error at one score. */
export const curvePoint = z.object({
  score: z.number(),
  distance: z.number(),
  /** Pairs of different people taken for one. */
  falseMatch: measuredRate,
  /** Pairs of one person not recognised; null without such pairs. */
  falseNonMatch: measuredRate.nullable(),
})
export type CurvePoint = z.output<typeof curvePoint>

export const REPORT_DIMENSIONS = ['all', 'group', 'gender', 'age', 'kind'] as const

/** One part of the gallery: `all`, a person group, a gender, an age band. Pairs are taken within the part. */
export const reportSlice = z.object({
  dimension: z.enum(REPORT_DIMENSIONS),
  /** Id of the group, the enum's value, or the band such as `18-29`; empty for all. */
  value: z.string(),
  /** Name of the group at that time; empty where the console has its own word. */
  name: z.string(),
  persons: z.number().int(),
  photos: z.number().int(),
  genuinePairs: z.number().int(),
  impostorPairs: z.number().int(),
  /** Rate at which both errors are equal; null without pairs of both kinds. */
  equalErrorRate: z.number().nullable(),
  /** At the door's threshold when the report was made. */
  atDoor: curvePoint,
  /** By rising score. */
  curve: z.array(curvePoint),
})
export type ReportSlice = z.output<typeof reportSlice>

/** Two different persons whose photographs come close: one registered twice, twins, or a photograph in the wrong place. */
export const closePair = z.object({
  first: z.object({ personId: id, personName: masked('name', z.string()), faceId: id, thumbnail: z.string() }),
  second: z.object({ personId: id, personName: masked('name', z.string()), faceId: id, thumbnail: z.string() }),
  score: z.number(),
  distance: z.number(),
})

const summary = z.object({
  id,
  createdAt: instant,
  modelId: z.string(),
  work: workState,
  persons: z.number().int(),
  photos: z.number().int(),
  /** Left out besides: portraits of the demo campus. Drawn faces are far more alike than real ones and measure no engine. */
  demoPhotos: z.number().int(),
  genuinePairs: z.number().int(),
  impostorPairs: z.number().int(),
  doorScore: z.number(),
  /** Of all photographs at the door's threshold; null until it is done. */
  falseMatch: measuredRate.nullable(),
  falseNonMatch: measuredRate.nullable(),
})
export const reportSummary = summary
export const faceReport = summary.extend({ slices: z.array(reportSlice), closest: z.array(closePair) })
export type FaceReport = z.output<typeof faceReport>

export const faceReportCalls = {
  start: call({
    method: 'POST',
    service: 'biz',
    path: '/face/report',
    permission: 'device.setting',
    summary: 'Measures the error rates on the photographs of this park; 409 while one is being made.',
    body: z.object({}),
    data: created,
    statuses: [409],
    origin: 'own',
  }),
  list: call({
    method: 'GET',
    service: 'biz',
    path: '/face/report/list',
    permission: 'device.setting',
    summary: 'Reports of this park, newest first.',
    query: pageQuery,
    data: pageData(reportSummary),
    origin: 'own',
  }),
  read: call({
    method: 'GET',
    service: 'biz',
    path: '/face/report/{id}',
    permission: 'device.setting',
    summary: 'One report with its curves.',
    params: idParams,
    data: faceReport,
    origin: 'own',
  }),
  cancel: call({
    method: 'POST',
    service: 'biz',
    path: '/face/report/{id}/cancel',
    permission: 'device.setting',
    summary: 'Ends a report that is being made.',
    params: idParams,
    body: z.object({}),
    data: created,
    origin: 'own',
  }),
  delete: call({
    method: 'DELETE',
    service: 'biz',
    path: '/face/report/{id}',
    permission: 'device.setting',
    summary: 'Deletes a report.',
    params: idParams,
    data: created,
    origin: 'own',
  }),
}
