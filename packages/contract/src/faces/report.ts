/** Error rates measured on the installation's own photos, stored over time. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { masked } from '../masking.ts'
import { created, id, idParams, instant, pageData, pageQuery } from '../schema.ts'
import { workState } from '../work.ts'

const call = callsOf('faces')

/** A share of trials with its 95 % confidence interval, by persons. */
export const measuredRate = z.object({ rate: z.number(), low: z.number(), high: z.number() })
export type MeasuredRate = z.output<typeof measuredRate>

/** Both kinds of error at one score. */
export const curvePoint = z.object({
  score: z.number(),
  distance: z.number(),
  /** Pairs of different people who are taken for the same person. */
  falseMatch: measuredRate,
  /** Pairs of one person not recognised; null without such pairs. */
  falseNonMatch: measuredRate.nullable(),
})
export type CurvePoint = z.output<typeof curvePoint>

export const REPORT_DIMENSIONS = ['all', 'group', 'gender', 'age', 'kind'] as const

/** Part of the registered faces: `all`, a person group, a gender, an age band. Pairs are formed within the part. */
export const reportSlice = z.object({
  dimension: z.enum(REPORT_DIMENSIONS),
  /** Id of the group, the enum's value, or the band such as `18-29`; empty for all. */
  value: z.string(),
  /** Name of the group at that time; empty if the console has a label for the value. */
  name: z.string(),
  persons: z.number().int(),
  photos: z.number().int(),
  genuinePairs: z.number().int(),
  impostorPairs: z.number().int(),
  /** Rate at which both errors are equal; null without pairs of both kinds. */
  equalErrorRate: z.number().nullable(),
  /** Both errors at the door's threshold at the time of the report. */
  atDoor: curvePoint,
  /** In ascending order of score. */
  curve: z.array(curvePoint),
})
export type ReportSlice = z.output<typeof reportSlice>

/** Two different persons with similar photos: one person registered twice, twins, or a photo of the wrong person. */
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
  /**
   * Number of portraits of the demo campus that were left out: drawn faces are far more alike than real ones and cannot measure an engine.
   */
  demoPhotos: z.number().int(),
  genuinePairs: z.number().int(),
  impostorPairs: z.number().int(),
  doorScore: z.number(),
  /** Errors of all photos at the door's threshold; null until the report is done. */
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
