/** One memo for all test files of a run. */
import { startRunMemo } from '@gatehouse/dev-env/run-memo'

export default startRunMemo
