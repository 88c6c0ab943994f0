import type { Rung } from './rungs.ts'

export const alarmsRungs: readonly Rung[] = []
