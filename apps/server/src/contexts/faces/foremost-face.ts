import { isFiniteEmbedding, PhotoRefusal, type AcceptedFace, type PhotoAnalysis } from '@gatehouse/face-engine'

/** Return the face a terminal would compare, whatever its quality. @throws PhotoRefusal noFace, noFeature */
export function foremostFace({ faces: [face] }: PhotoAnalysis): AcceptedFace {
  if (face === undefined) throw new PhotoRefusal('noFace')
  if (!isFiniteEmbedding(face.embedding)) throw new PhotoRefusal('noFeature')
  return face as AcceptedFace
}
