/** Where the pages of upgrades are. */
import type { UpgradeTask } from '@gatehouse/contract/upgrades/calls'
import { path } from '../../paths.ts'

/** The page of a task: what a device is made of besides its program has one of its own. */
export const taskAddress = ({ id, kind }: Pick<UpgradeTask, 'id' | 'kind'>): string =>
  `${path(kind === 'device' ? 'deviceUpgradeDetail' : 'clientUpgradeDetail')}?id=${id}`
