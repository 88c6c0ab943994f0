/** A portrait as SVG, light from the upper left. */
import type { Shot, Traits } from './traits.ts'

/** Pixels of the picture. */
export const WIDTH = 400
export const HEIGHT = 500
/** The part of the 480 × 600 drawing that is shown. */
const VIEW = { x: 38, y: 44, width: 404, height: 505 }
const MIDDLE = 240

const n = (value: number) => value.toFixed(1)

/** Mixes a colour with another. @param share of the other, 0 to 1 */
function mix(colour: string, other: string, share: number): string {
  const part = (hex: string, at: number) => parseInt(hex.slice(at, at + 2), 16)
  const mixed = [1, 3, 5].map((at) => Math.round(part(colour, at) * (1 - share) + part(other, at) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
const darker = (colour: string, share: number) => mix(colour, '#1a0d08', share)
const lighter = (colour: string, share: number) => mix(colour, '#ffffff', share)

/** A path mirrored at the middle of the face is drawn twice; `d` is written for the picture's right half, x counted from the middle. */
const bothSides = (content: string) => `${content}<g transform="scale(-1 1)">${content}</g>`

export function drawPortrait(traits: Traits, shot: Shot): string {
  const head = `translate(${n(MIDDLE + shot.shiftX)} ${n(shot.shiftY)}) rotate(${n(shot.lean)} 0 430) translate(0 ${n(430 * (1 - shot.zoom))}) scale(${shot.zoom.toFixed(3)})`
  const body = `translate(${n(MIDDLE + shot.shiftX)} ${n(shot.shiftY - 16)})`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="${VIEW.x} ${VIEW.y} ${VIEW.width} ${VIEW.height}">
${definitions(traits, shot)}
<rect x="${VIEW.x}" y="${VIEW.y}" width="${VIEW.width}" height="${VIEW.height}" fill="url(#background)"/>
<g transform="${head}">${hairBehind(traits)}</g>
<g transform="${body}">${neck(traits)}${clothes(shot)}</g>
<g transform="${head}">${ears(traits)}${face(traits)}${shading(traits)}${beard(traits)}${eyes(traits, shot)}${brows(traits)}${nose(traits)}${mouth(traits, shot)}${touches(traits, shot)}${lines(traits)}${hairInFront(traits)}${glasses(traits)}</g>
</svg>`
}

function definitions({ skin, hair, ...traits }: Traits, { background, cloth }: Shot): string {
  const gradient = (id: string, stops: readonly (readonly [number, string])[], attributes: string) =>
    `<linearGradient id="${id}" ${attributes}>${stops.map(([at, colour]) => `<stop offset="${at}" stop-color="${colour}"/>`).join('')}</linearGradient>`
  const fading = (id: string, colour: string) =>
    `<radialGradient id="${id}"><stop offset="0" stop-color="${colour}"/><stop offset="0.5" stop-color="${colour}" stop-opacity="0.55"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`
  return `<defs>
<radialGradient id="background" cx="0.4" cy="0.3" r="0.9"><stop offset="0" stop-color="${background[0]}"/><stop offset="1" stop-color="${background[1]}"/></radialGradient>
<radialGradient id="skin" cx="0.42" cy="0.4" r="0.68"><stop offset="0" stop-color="${lighter(skin, 0.14)}"/><stop offset="0.55" stop-color="${skin}"/><stop offset="1" stop-color="${darker(mix(skin, '#b0563a', 0.16), 0.14)}"/></radialGradient>
${gradient(
  'neck',
  [
    [0, darker(skin, 0.3)],
    [0.5, darker(skin, 0.12)],
    [1, darker(skin, 0.06)],
  ],
  'x1="0" y1="0" x2="0" y2="1"',
)}
${gradient(
  'hair',
  [
    [0, lighter(hair, 0.16)],
    [0.35, hair],
    [1, darker(hair, 0.35)],
  ],
  'x1="0.2" y1="0" x2="0.75" y2="1"',
)}
${gradient(
  'cloth',
  [
    [0, lighter(cloth, 0.1)],
    [1, darker(cloth, 0.3)],
  ],
  'x1="0.2" y1="0" x2="0.8" y2="1"',
)}
<clipPath id="face"><path d="${facePath(traits)}"/></clipPath>
${fading('shade', darker(mix(skin, '#8a3f2a', 0.3), 0.3))}${fading('light', '#ffffff')}${fading('blush', '#d2573f')}
<filter id="fine" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="2.4"/></filter>
</defs>`
}

function facePath({ faceWidth: w, jaw, chin, chinY }: Pick<Traits, 'faceWidth' | 'jaw' | 'chin' | 'chinY'>): string {
  return `M${n(-w)} 240C${n(-w)} 158 ${n(-w * 0.68)} 116 0 116S${n(w)} 158 ${n(w)} 240C${n(w)} 296 ${n(w * 0.95)} 326 ${n(jaw)} 364C${n(jaw * 0.8)} ${n(chinY - 14)} ${n(chin)} ${n(chinY)} 0 ${n(chinY)}S${n(-jaw * 0.8)} ${n(chinY - 14)} ${n(-jaw)} 364C${n(-w * 0.95)} 326 ${n(-w)} 296 ${n(-w)} 240Z`
}

const face = (traits: Traits) => `<path d="${facePath(traits)}" fill="url(#skin)"/>`

function neck({ gender }: Traits): string {
  const w = gender === 'female' ? 47 : 58
  const outline = `M${-w} 350C${-w} 430 ${-w - 2} 462 ${-w - 34} 492L0 570L${w + 34} 492C${w + 2} 462 ${w} 430 ${w} 350Z`
  return `<clipPath id="throat"><path d="${outline}"/></clipPath><path d="${outline}" fill="url(#neck)"/>
<g clip-path="url(#throat)">${glow('shade', 0, 384, w + 46, 66, 1)}</g>`
}

function clothes({ clothes: kind, cloth, accent }: Shot): string {
  const shoulders = (neckline: string) =>
    `<path d="M-232 620C-228 545 -196 510 -128 490C-98 481 -84 474 -74 464${neckline}C84 474 98 481 128 490C196 510 228 545 232 620Z" fill="url(#cloth)"/>`
  const seam = `<path d="M-150 620C-150 575 -158 545 -172 524M150 620C150 575 158 545 172 524" fill="none" stroke="${darker(cloth, 0.4)}" stroke-width="2.5" opacity="0.5"/>`
  const shirt = `<path d="M-78 462C-56 500 -26 534 0 552C26 534 56 500 78 462L150 500L120 640H-120L-150 500Z" fill="${accent}"/>`
  switch (kind) {
    case 'crew':
      return `${shoulders('C-62 512 62 512 74 464')}<path d="M-74 464C-62 512 62 512 74 464" fill="none" stroke="${darker(cloth, 0.28)}" stroke-width="9"/>${seam}`
    case 'vneck':
      return `${shoulders('C-58 500 -28 548 0 566C28 548 58 500 74 464')}<path d="M-74 464C-58 500 -28 548 0 566C28 548 58 500 74 464" fill="none" stroke="${darker(cloth, 0.28)}" stroke-width="8"/>${seam}`
    case 'turtleneck':
      return `${shoulders('L-58 420C-30 444 30 444 58 420L74 464')}<path d="M-60 424C-30 448 30 448 60 424L64 462C30 486 -30 486 -64 462Z" fill="${darker(cloth, 0.16)}"/><path d="M-61 440C-30 464 30 464 61 440" fill="none" stroke="${lighter(cloth, 0.12)}" stroke-width="2" opacity="0.6"/>${seam}`
    case 'shirt':
      return `${shoulders('C-52 498 -20 520 0 540C20 520 52 498 74 464')}${bothSides(`<path d="M0 540C24 520 52 492 66 448L92 470C88 510 66 546 42 566Z" fill="${lighter(cloth, 0.16)}" stroke="${darker(cloth, 0.25)}" stroke-width="1.5"/>`)}<path d="M0 540V620" stroke="${darker(cloth, 0.35)}" stroke-width="2"/><circle cx="7" cy="574" r="3" fill="${lighter(cloth, 0.5)}"/>${seam}`
    case 'blazer':
      return `${shirt}${bothSides(`<path d="M0 548C24 528 50 494 64 450L88 468C84 500 62 530 34 562Z" fill="${lighter(accent, 0.3)}" stroke="${darker(accent, 0.2)}" stroke-width="1.5"/>`)}${bothSides(`<path d="M232 620C228 545 196 510 128 490C104 482 92 476 84 466C80 520 44 580 20 640L232 640Z" fill="url(#cloth)"/><path d="M84 466C96 486 104 510 100 532L78 540L90 560C70 590 48 612 34 640L18 640C44 580 78 520 84 466Z" fill="${darker(cloth, 0.22)}"/>`)}`
  }
}

function ears({ faceWidth: w, skin, eyeY, earrings, hairStyle }: Traits): string {
  if (hairStyle === 'long' || hairStyle === 'wavy' || hairStyle === 'bob') return ''
  const top = eyeY - 16
  return bothSides(
    `<path d="M${n(w - 8)} ${n(top)}C${n(w + 14)} ${n(top - 14)} ${n(w + 22)} ${n(top + 14)} ${n(w + 14)} ${n(top + 40)}C${n(w + 10)} ${n(top + 58)} ${n(w - 2)} ${n(top + 66)} ${n(w - 10)} ${n(top + 54)}Z" fill="${darker(mix(skin, '#c2603f', 0.2), 0.08)}"/>
<path d="M${n(w + 2)} ${n(top + 6)}C${n(w + 14)} ${n(top + 2)} ${n(w + 12)} ${n(top + 26)} ${n(w + 4)} ${n(top + 42)}" fill="none" stroke="${darker(skin, 0.35)}" stroke-width="3" opacity="0.55"/>` +
      (earrings ? `<circle cx="${n(w + 2)}" cy="${n(top + 64)}" r="4" fill="#e9d9a6" stroke="#a98f4a"/>` : ''),
  )
}

/** An ellipse that fades out; cheaper than a blur. @param fill `shade`, `light` or `blush` */
const glow = (fill: 'shade' | 'light' | 'blush', cx: number, cy: number, rx: number, ry: number, opacity: number) =>
  `<ellipse cx="${n(cx)}" cy="${n(cy)}" rx="${n(rx)}" ry="${n(ry)}" fill="url(#${fill})" opacity="${opacity}"/>`

/** Soft light and shadow that make a flat shape a head. */
function shading({ skin, eyeSpacing, eyeY, noseLength, chinY, faceWidth, freckles, gender }: Traits): string {
  const noseY = eyeY + noseLength
  const dots = freckles
    ? Array.from(
        { length: 26 },
        (_, i) => `<circle cx="${n(((i * 37) % 130) - 65)}" cy="${n(eyeY + 34 + ((i * 23) % 30))}" r="${n(0.9 + (i % 3) * 0.35)}"/>`,
      ).join('')
    : ''
  return `<g clip-path="url(#face)">
${glow('shade', faceWidth + 4, 300, 44, 160, 0.75)}${glow('shade', -faceWidth - 8, 320, 38, 140, 0.5)}${glow('shade', 0, chinY + 5, 90, 26, 0.7)}
${bothSides(glow('shade', eyeSpacing, eyeY - 8, 38, 22, 0.5) + glow('blush', eyeSpacing + 14, noseY - 4, 33, 24, gender === 'female' ? 0.25 : 0.14))}
${glow('light', -22, 176, 72, 42, 0.3)}${glow('light', -eyeSpacing - 10, eyeY + 34, 32, 20, 0.24)}${glow('light', -4, chinY - 18, 24, 13, 0.22)}
<g fill="${darker(skin, 0.4)}" opacity="0.45">${dots}</g></g>`
}

function eyes(
  { eyeSpacing, eyeY, eyeWidth: w, eyeHeight: h, eyeTilt, creased, iris, skin, gender, age }: Traits,
  { gaze, smile }: Shot,
): string {
  const low = h * (0.72 - smile * 0.14)
  const almond = `M${n(-w)} ${n(eyeTilt * 0.6)}C${n(-w * 0.55)} ${n(-h)} ${n(w * 0.35)} ${n(-h * 1.08)} ${n(w)} ${n(-eyeTilt)}C${n(w * 0.6)} ${n(low * 0.85)} ${n(-w * 0.45)} ${n(low)} ${n(-w)} ${n(eyeTilt * 0.6)}Z`
  const upper = `M${n(-w)} ${n(eyeTilt * 0.6)}C${n(-w * 0.55)} ${n(-h)} ${n(w * 0.35)} ${n(-h * 1.08)} ${n(w + 1.5)} ${n(-eyeTilt - 0.5)}`
  const radius = Math.min(10.5, h * 0.86)
  const lash = gender === 'female' ? 3.6 : 2.4
  const one = (side: 1 | -1) => {
    const id = side === 1 ? 'eyeRight' : 'eyeLeft'
    const look = gaze * side
    return `<g transform="translate(${n(side * eyeSpacing)} ${n(eyeY)}) scale(${side} 1)">
<clipPath id="${id}"><path d="${almond}"/></clipPath>
<path d="${almond}" fill="#f4efe9"/>
<g clip-path="url(#${id})"><circle cx="${n(look)}" cy="${n(-h * 0.14)}" r="${n(radius)}" fill="${darker(iris, 0.45)}"/><circle cx="${n(look)}" cy="${n(-h * 0.14)}" r="${n(radius * 0.86)}" fill="${iris}"/><path d="M${n(look - radius)} ${n(-h * 0.14)}A${n(radius)} ${n(radius)} 0 0 0 ${n(look + radius)} ${n(-h * 0.14)}Z" fill="#ffffff" opacity="0.13"/><circle cx="${n(look)}" cy="${n(-h * 0.14)}" r="${n(radius * 0.44)}" fill="#0c0806"/><path d="${upper}L${n(w)} ${n(-h * 1.6)}L${n(-w)} ${n(-h * 1.6)}Z" fill="none" stroke="#20100a" stroke-width="7" opacity="0.25"/><circle cx="${n(look - side * radius * 0.32)}" cy="${n(-h * 0.46)}" r="${n(radius * 0.24)}" fill="#ffffff" opacity="0.95"/></g>
<path d="${upper}" fill="none" stroke="#1d120d" stroke-width="${lash}" stroke-linecap="round"/>
${gender === 'female' ? `<path d="M${n(w - 1)} ${n(-eyeTilt)}l4.2 -3.2M${n(w * 0.74)} ${n(-h * 0.6)}l3 -3.2" stroke="#1d120d" stroke-width="1.6" stroke-linecap="round"/>` : ''}
<path d="M${n(w * 0.9)} ${n(-eyeTilt + 1)}C${n(w * 0.55)} ${n(low * 0.9)} ${n(-w * 0.4)} ${n(low * 1.04)} ${n(-w * 0.9)} ${n(eyeTilt * 0.6 + 1)}" fill="none" stroke="${darker(skin, 0.5)}" stroke-width="1.3" opacity="0.6"/>
${creased ? `<path d="M${n(-w * 0.85)} ${n(-h * 0.62)}C${n(-w * 0.4)} ${n(-h * 1.5)} ${n(w * 0.45)} ${n(-h * 1.6)} ${n(w * 1.02)} ${n(-h * 0.55 - eyeTilt)}" fill="none" stroke="${darker(skin, 0.42)}" stroke-width="1.7" opacity="0.7" stroke-linecap="round"/>` : ''}
${age > 0.5 ? `<path d="M${n(-w * 0.6)} ${n(low + 9)}C${n(-w * 0.2)} ${n(low + 14)} ${n(w * 0.4)} ${n(low + 13)} ${n(w * 0.9)} ${n(low + 6)}" fill="none" stroke="${darker(skin, 0.34)}" stroke-width="1.8" opacity="${n(age * 0.55)}"/>` : ''}
</g>`
  }
  return one(-1) + one(1)
}

function brows({ eyeSpacing, eyeY, eyeWidth, browY, browThickness: t, browArch, hair, skin }: Traits): string {
  const y = eyeY - browY
  const inner = eyeSpacing - eyeWidth * 1.05
  const outer = eyeSpacing + eyeWidth * 1.25
  const colour = mix(darker(hair, 0.2), skin, 0.12)
  return bothSides(
    `<path d="M${n(inner)} ${n(y - 1)}C${n(inner + 10)} ${n(y - browArch * 0.7)} ${n(eyeSpacing + 6)} ${n(y - browArch)} ${n(outer)} ${n(y + 6)}C${n(eyeSpacing + 6)} ${n(y - browArch + t * 0.8)} ${n(inner + 12)} ${n(y + t * 0.55)} ${n(inner + 2)} ${n(y + t * 0.8)}Z" fill="${colour}" opacity="0.92"/>`,
  )
}

function nose({ eyeY, noseLength, noseWidth: w, skin }: Traits): string {
  const y = eyeY + noseLength
  const line = darker(mix(skin, '#8a3f2a', 0.35), 0.34)
  return `${bothSides(`<path d="M${n(w * 0.88)} ${n(y - 13)}C${n(w * 1.18)} ${n(y - 5)} ${n(w * 1.1)} ${n(y + 5)} ${n(w * 0.7)} ${n(y + 3)}" fill="none" stroke="${line}" stroke-width="2.4" stroke-linecap="round" opacity="0.8"/>
<ellipse cx="${n(w * 0.46)}" cy="${n(y + 1.5)}" rx="${n(w * 0.22)}" ry="2.9" transform="rotate(-12 ${n(w * 0.46)} ${n(y + 1.5)})" fill="${darker(line, 0.5)}" opacity="0.85"/>`)}
<path d="M${n(-w * 0.3)} ${n(y + 4)}C${n(-w * 0.1)} ${n(y + 8)} ${n(w * 0.1)} ${n(y + 8)} ${n(w * 0.3)} ${n(y + 4)}" fill="none" stroke="${line}" stroke-width="2" opacity="0.6" stroke-linecap="round"/>`
}

function mouthShape({ mouthWidth, lipFullness, eyeY, noseLength, chinY }: Traits, { smile }: Shot) {
  const noseY = eyeY + noseLength
  const y = noseY + (chinY - noseY) * 0.4
  const dip = y + 1 + smile * 3
  return {
    noseY,
    y,
    dip,
    corner: y - 2 - smile * 7,
    top: y - lipFullness * 0.85,
    bottom: dip + lipFullness * 1.05,
    width: mouthWidth * (0.94 + smile * 0.16),
  }
}

function mouth(traits: Traits, shot: Shot): string {
  const { lipFullness: f, skin, gender } = traits
  const { dip, corner, top, bottom, width } = mouthShape(traits, shot)
  const lip = gender === 'female' ? mix(skin, '#b8383f', 0.46) : mix(skin, '#a4503f', 0.32)
  const line = darker(mix(lip, '#5a1a18', 0.35), 0.35)
  const parting = `C${n(-width * 0.55)} ${n(dip)} ${n(-width * 0.2)} ${n(dip)} 0 ${n(dip - 1)}C${n(width * 0.2)} ${n(dip)} ${n(width * 0.55)} ${n(dip)} ${n(width)} ${n(corner)}`
  return `<path d="M${n(-width)} ${n(corner)}C${n(-width * 0.62)} ${n(top + f * 0.3)} ${n(-width * 0.34)} ${n(top)} ${n(-width * 0.16)} ${n(top)}Q0 ${n(top + f * 0.36)} ${n(width * 0.16)} ${n(top)}C${n(width * 0.34)} ${n(top)} ${n(width * 0.62)} ${n(top + f * 0.3)} ${n(width)} ${n(corner)}C${n(width * 0.62)} ${n(bottom)} ${n(-width * 0.62)} ${n(bottom)} ${n(-width)} ${n(corner)}Z" fill="${darker(lip, 0.1)}"/>
<path d="M${n(-width)} ${n(corner)}${parting}C${n(width * 0.62)} ${n(bottom + f * 0.4)} ${n(-width * 0.62)} ${n(bottom + f * 0.4)} ${n(-width)} ${n(corner)}Z" fill="${lip}"/>
<path d="M${n(-width - 1)} ${n(corner)}${parting}" fill="none" stroke="${line}" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/>`
}

/** Small lights and folds, blurred together: each blur of its own would cost as much as the whole drawing. */
function touches(traits: Traits, shot: Shot): string {
  const { eyeY, noseWidth, skin, age, lipFullness: f } = traits
  const { noseY, y, dip, bottom, width } = mouthShape(traits, shot)
  return `<g filter="url(#fine)">
<path d="M${n(noseWidth * 0.4)} ${n(eyeY - 6)}C${n(noseWidth * 0.55)} ${n(eyeY + 24)} ${n(noseWidth * 0.8)} ${n(noseY - 20)} ${n(noseWidth)} ${n(noseY - 4)}L${n(noseWidth * 0.3)} ${n(noseY)}L5 ${n(eyeY + 4)}Z" fill="${darker(mix(skin, '#8a3f2a', 0.3), 0.3)}" opacity="0.26"/>
<path d="M-3 ${n(eyeY - 4)}C-5 ${n(eyeY + 22)} -5 ${n(noseY - 26)} -3 ${n(noseY - 10)}" fill="none" stroke="#ffffff" stroke-width="6" opacity="0.3" stroke-linecap="round"/>
<ellipse cx="-3" cy="${n(noseY - 9)}" rx="5.5" ry="4" fill="#ffffff" opacity="0.26"/>
<ellipse cx="-4" cy="${n(dip + f * 0.5)}" rx="${n(width * 0.34)}" ry="${n(f * 0.18)}" fill="#ffffff" opacity="0.28"/>
<ellipse cx="0" cy="${n(bottom + f * 0.5)}" rx="${n(width * 0.5)}" ry="4" fill="${darker(skin, 0.4)}" opacity="0.36"/>
${bothSides(`<path d="M${n(width * 1.2)} ${n(noseY + 2)}C${n(width * 1.42)} ${n(noseY + 14)} ${n(width * 1.44)} ${n(y - 10)} ${n(width * 1.32)} ${n(y)}" fill="none" stroke="${darker(skin, 0.36)}" stroke-width="2.2" stroke-linecap="round" opacity="${n(0.12 + 0.25 * shot.smile + 0.35 * age)}"/>`)}</g>`
}

/** Lines of the forehead and beside the eyes, with age. */
function lines({ age, skin, eyeSpacing, eyeY }: Traits): string {
  if (age < 0.55) return ''
  const line = `fill="none" stroke="${darker(skin, 0.38)}" stroke-width="1.6" stroke-linecap="round"`
  return `<g opacity="${n((age - 0.4) * 0.8)}"><path d="M-44 196C-20 190 20 190 44 196M-38 210C-16 205 16 205 38 210" ${line}/>${bothSides(`<path d="M${n(eyeSpacing + 30)} ${n(eyeY - 4)}l9 -5M${n(eyeSpacing + 30)} ${n(eyeY + 2)}l10 1" ${line}/>`)}</g>`
}

function beard({ beard: kind, hair, faceWidth: w, jaw, chinY, eyeY, noseLength }: Traits): string {
  if (kind === 'none') return ''
  const noseY = eyeY + noseLength
  const y = noseY + (chinY - noseY) * 0.4
  const moustache = `<path d="M0 ${n(noseY + 11)}C20 ${n(noseY + 6)} 38 ${n(y - 8)} 46 ${n(y + 6)}C30 ${n(y - 4)} 14 ${n(y - 9)} 0 ${n(y - 8)}C-14 ${n(y - 9)} -30 ${n(y - 4)} -46 ${n(y + 6)}C-38 ${n(y - 8)} -20 ${n(noseY + 6)} 0 ${n(noseY + 11)}Z" fill="${darker(hair, 0.1)}" opacity="0.88"/>`
  if (kind === 'moustache') return moustache
  const area = `M${n(-w)} 268C${n(-w * 0.86)} 320 ${n(-jaw * 0.9)} ${n(y - 14)} -48 ${n(y - 4)}C-36 ${n(noseY + 8)} -12 ${n(noseY + 10)} 0 ${n(noseY + 12)}C12 ${n(noseY + 10)} 36 ${n(noseY + 8)} 48 ${n(y - 4)}C${n(jaw * 0.9)} ${n(y - 14)} ${n(w * 0.86)} 320 ${n(w)} 268L${n(w + 8)} 380L0 ${n(chinY + 20)}L${n(-w - 8)} 380Z`
  return `<g clip-path="url(#face)"><path d="${area}" fill="${darker(hair, 0.15)}" opacity="${kind === 'stubble' ? 0.26 : 0.8}" filter="url(#fine)"/></g>`
}

/** Strands that give a hair shape its lustre. */
const strands = (paths: string, hair: string) =>
  `<path d="${paths}" fill="none" stroke="${lighter(hair, 0.32)}" stroke-width="2.2" opacity="0.32" stroke-linecap="round"/>`

function hairBehind({ hairStyle, faceWidth: w }: Traits): string {
  const fill = 'fill="url(#hair)"'
  const full = w + 22
  switch (hairStyle) {
    case 'long':
    case 'fringe':
      return `<path d="M${n(-full)} 230C${n(-full - 4)} 120 ${n(-w * 0.6)} 76 0 76S${n(full + 4)} 120 ${n(full)} 230C${n(full + 6)} 330 ${n(full + 12)} 430 ${n(full + 4)} 520L${n(-full - 4)} 520C${n(-full - 12)} 430 ${n(-full - 6)} 330 ${n(-full)} 230Z" ${fill}/>`
    case 'wavy':
      return `<path d="M${n(-full - 4)} 230C${n(-full - 8)} 116 ${n(-w * 0.6)} 72 0 72S${n(full + 8)} 116 ${n(full + 4)} 230C${n(full + 26)} 280 ${n(full - 2)} 320 ${n(full + 20)} 370C${n(full + 36)} 420 ${n(full + 2)} 440 ${n(full + 14)} 490L${n(-full - 14)} 490C${n(-full - 2)} 440 ${n(-full - 36)} 420 ${n(-full - 20)} 370C${n(-full + 2)} 320 ${n(-full - 26)} 280 ${n(-full - 4)} 230Z" ${fill}/>`
    case 'bob':
      return `<path d="M${n(-full)} 230C${n(-full - 4)} 118 ${n(-w * 0.6)} 76 0 76S${n(full + 4)} 118 ${n(full)} 230C${n(full + 10)} 310 ${n(full + 12)} 360 ${n(full - 6)} 398L${n(-full + 6)} 398C${n(-full - 12)} 360 ${n(-full - 10)} 310 ${n(-full)} 230Z" ${fill}/>`
    case 'bun':
      return `<circle cx="6" cy="78" r="40" ${fill}/><path d="M${n(-w - 8)} 260C${n(-w - 14)} 130 -60 88 0 88S${n(w + 14)} 130 ${n(w + 8)} 260Z" ${fill}/>`
    case 'curls':
      return `<path d="M${n(-w - 12)} 262C${n(-w - 26)} 150 -80 84 0 84S${n(w + 26)} 150 ${n(w + 12)} 262Z" ${fill}/>`
    case 'bald':
      return ''
    default:
      return `<path d="M${n(-w - 7)} 262C${n(-w - 14)} 150 -70 98 0 98S${n(w + 14)} 150 ${n(w + 7)} 262Z" ${fill}/>`
  }
}

function hairInFront({ hairStyle, faceWidth: w, hair, skin }: Traits): string {
  const fill = 'fill="url(#hair)"'
  const curtain = (depth: number) =>
    `<path d="M-18 122C-60 138 ${n(-w * 0.86)} 180 ${n(-w + 3)} ${depth}C${n(-w - 16)} 200 ${n(-w - 24)} 92 0 84C${n(w + 24)} 92 ${n(w + 16)} 200 ${n(w - 3)} ${depth}C${n(w * 0.86)} 190 60 150 -18 122Z" ${fill}/>${strands(`M-20 118C-60 128 ${n(-w + 2)} 166 ${n(-w - 5)} 216M-14 112C-50 112 ${n(-w - 2)} 140 ${n(-w - 10)} 196M4 118C46 128 ${n(w - 4)} 162 ${n(w + 4)} 212M8 108C46 110 ${n(w)} 138 ${n(w + 10)} 196`, hair)}`
  const short = (line: string, crown: number, extra = '') =>
    `<path d="M${n(-w - 1)} 244C${n(-w - 16)} 150 -74 ${crown} 0 ${crown}S${n(w + 16)} 150 ${n(w + 1)} 244${line}Z" ${fill}/>${extra}`
  switch (hairStyle) {
    case 'long':
      return curtain(300)
    case 'wavy':
      return curtain(282)
    case 'bob':
      return curtain(330)
    case 'bun':
      return short(
        `C${n(w - 2)} 190 ${n(w * 0.7)} 150 0 142C${n(-w * 0.7)} 150 ${n(-w + 2)} 190 ${n(-w - 1)} 244`,
        88,
        strands(`M-10 140C-30 116 -20 104 -8 96M-50 148C-56 126 -40 106 -24 100M30 142C44 124 30 106 18 98`, hair),
      )
    case 'fringe':
      return `<path d="M${n(-w + 3)} 292C${n(-w - 22)} 190 ${n(-w - 20)} 84 0 82S${n(w + 22)} 190 ${n(w - 3)} 292C${n(w - 6)} 246 ${n(w - 4)} 226 ${n(w - 8)} 214C40 224 -40 224 ${n(-w + 8)} 214C${n(-w + 4)} 226 ${n(-w + 6)} 246 ${n(-w + 3)} 292Z" ${fill}/>${strands('M-50 214C-52 170 -36 130 -18 108M-16 218C-18 176 -10 138 -2 112M20 218C22 176 18 138 12 112M54 214C56 172 44 132 26 110', hair)}`
    case 'pixie':
      return short(
        `C${n(w - 4)} 214 ${n(w * 0.86)} 190 ${n(w * 0.6)} 168C20 196 -50 206 ${n(-w + 10)} 196C${n(-w + 4)} 210 ${n(-w + 2)} 226 ${n(-w - 1)} 244`,
        86,
        strands('M50 164C20 186 -30 196 -70 192M30 140C0 160 -40 172 -76 172', hair),
      )
    case 'sidePart':
      return short(
        `C${n(w - 3)} 210 ${n(w * 0.84)} 184 ${n(w * 0.62)} 166C10 172 -30 160 -52 140C${n(-w * 0.8)} 168 ${n(-w + 4)} 200 ${n(-w - 1)} 244`,
        88,
        strands('M-50 138C-20 154 20 162 58 160M-46 124C-10 136 30 142 66 142', hair),
      )
    case 'crew':
      return short(
        `C${n(w - 3)} 206 ${n(w * 0.82)} 170 ${n(w * 0.66)} 160C30 150 -30 150 ${n(-w * 0.66)} 160C${n(-w * 0.82)} 170 ${n(-w + 3)} 206 ${n(-w - 1)} 244`,
        100,
      )
    case 'quiff':
      return short(
        `C${n(w - 3)} 206 ${n(w * 0.84)} 180 ${n(w * 0.7)} 158C30 142 -6 164 -34 152C-50 150 ${n(-w * 0.76)} 166 ${n(-w * 0.8)} 178C${n(-w + 4)} 200 ${n(-w + 1)} 220 ${n(-w - 1)} 244`,
        72,
        strands('M-36 148C-22 118 20 104 56 118M-52 150C-46 112 -4 92 34 96', hair),
      )
    case 'curls':
      return `<g ${fill}>${[
        [-88, 176, 26],
        [-74, 138, 30],
        [-44, 112, 32],
        [-6, 100, 34],
        [34, 106, 32],
        [68, 132, 30],
        [88, 172, 26],
        [-40, 146, 22],
        [0, 136, 24],
        [40, 144, 22],
      ]
        .map(([x, y, r]) => `<circle cx="${n(x! * (w / 96))}" cy="${y}" r="${r}"/>`)
        .join(
          '',
        )}</g>${strands('M-78 132a14 14 0 0 1 24 -10M-40 104a16 16 0 0 1 28 -8M6 96a16 16 0 0 1 28 4M50 116a14 14 0 0 1 24 10', hair)}`
    case 'receding':
      return (
        bothSides(
          `<path d="M${n(w + 1)} 246C${n(w + 14)} 190 ${n(w)} 140 ${n(w * 0.62)} 124C${n(w * 0.72)} 150 ${n(w * 0.86)} 178 ${n(w - 7)} 210Z" ${fill}/>`,
        ) + `<path d="M-50 134C-30 108 30 108 50 134C24 122 -24 122 -50 134Z" fill="${mix(hair, skin, 0.25)}" opacity="0.8"/>`
      )
    case 'bald':
      return glow('light', -26, 150, 46, 28, 0.34)
  }
}

function glasses({ glasses: kind, eyeSpacing, eyeY, faceWidth: w, hair }: Traits): string {
  if (kind === 'none') return ''
  const half = Math.min(35, eyeSpacing - 9)
  const frame = kind === 'thin' ? '#8d8f94' : darker(hair, 0.3)
  const stroke = kind === 'thin' ? 2 : 4
  const height = kind === 'round' ? half * 0.9 : 24
  const radius = kind === 'round' ? half : kind === 'thin' ? 14 : 9
  const lens = `<rect x="${n(eyeSpacing - half)}" y="${n(eyeY - height + 2)}" width="${n(half * 2)}" height="${n(height * 2)}" rx="${n(radius)}" fill="#ffffff" fill-opacity="0.06"/>`
  return `<g fill="none" stroke="${frame}" stroke-width="${stroke}">${bothSides(`${lens}<path d="M${n(eyeSpacing + half)} ${n(eyeY - 4)}L${n(w + 3)} ${n(eyeY - 9)}"/>`)}<path d="M${n(-eyeSpacing + half)} ${n(eyeY - 2)}Q0 ${n(eyeY - 11)} ${n(eyeSpacing - half)} ${n(eyeY - 2)}"/></g>`
}
