/** The access methods: which one was tried, which compare a face, and the fail reason of one that is not permitted. */
import { accessMethod, failReason, type ValueOf } from '@gatehouse/contract/enums'
import type { Evidence } from './model.ts'

type AccessMethod = ValueOf<typeof accessMethod>
export type FailReason = ValueOf<typeof failReason>

interface MethodTraits {
  /** The method compares a face, so nobody passes by it who has none on file. */
  face: boolean
  /** Fail reason of a passage tried by this method where no strategy takes it. */
  refused: FailReason
}

const TRAITS: Record<AccessMethod, MethodTraits> = {
  [accessMethod.face]: { face: true, refused: failReason.faceVerifyFailed },
  [accessMethod.idCardAndNumber]: { face: false, refused: failReason.personId },
  [accessMethod.idCardAndFace]: { face: true, refused: failReason.personId },
  [accessMethod.card]: { face: false, refused: failReason.icCard },
  [accessMethod.cardAndFace]: { face: true, refused: failReason.icCard },
  [accessMethod.qrCode]: { face: false, refused: failReason.qrCode },
  [accessMethod.qrCodeAndFace]: { face: true, refused: failReason.qrCode },
  [accessMethod.devicePassword]: { face: false, refused: failReason.passwordFailed },
  [accessMethod.devicePasswordAndFace]: { face: true, refused: failReason.passwordFailed },
  [accessMethod.personalPasswordAndFace]: { face: true, refused: failReason.passwordFailed },
  [accessMethod.smartPersonalPasswordAndFace]: { face: true, refused: failReason.passwordFailed },
  [accessMethod.handprint]: { face: false, refused: failReason.handprintFailed },
  [accessMethod.idVerification]: { face: false, refused: failReason.personId },
  [accessMethod.cardAndPassword]: { face: false, refused: failReason.icCard },
  [accessMethod.personalPassword]: { face: false, refused: failReason.passwordFailed },
}

/** The method a passage was tried by; null when nothing was shown that a person could be told by. */
export function methodOf(evidence: Evidence): AccessMethod | null {
  return evidence.face ? accessMethod.face : null
}

/** Whether a person without a face on file can pass by a method. */
export function worksWithoutFace(method: number): boolean {
  return TRAITS[method as AccessMethod]?.face === false
}

/** The fail reason of a method no strategy takes; "other unknown" where none was tried. */
export function failReasonOf(method: AccessMethod | null): FailReason {
  return method === null ? failReason.unknown : TRAITS[method].refused
}
