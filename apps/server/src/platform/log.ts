/** Structured log lines (pino, through fastify). Query values are never logged: they may contain tokens. */
import { pino } from 'pino'
import type { Logger as Pino } from 'pino'

export type Logger = Pino

export const createLog = (level: string): Logger => pino({ level, redact: ['req.headers.authorization'] })
