/** One memo of the face engine for all test files of a run. */
import { startFaceMemo } from '@gatehouse/dev-env/face-memo'

export default startFaceMemo
