/** Print a picture with words, and nothing else of the page. */
export function printCode(title: string, picture: string, lines: readonly string[]): void {
  const frame = document.createElement('iframe')
  frame.style.cssText = 'position:fixed;right:0;bottom:0;width:0;height:0;border:0'
  document.body.append(frame)
  const page = frame.contentDocument!
  page.title = title
  page.body.style.cssText = 'font-family:sans-serif;text-align:center'
  const heading = page.createElement('h1')
  heading.textContent = title
  const image = page.createElement('img')
  image.style.cssText = 'width:90mm'
  const words = lines.map((line) => {
    const paragraph = page.createElement('p')
    paragraph.textContent = line
    return paragraph
  })
  page.body.append(heading, image, ...words)
  image.addEventListener('load', () => {
    frame.contentWindow!.addEventListener('afterprint', () => frame.remove())
    frame.contentWindow!.print()
  })
  image.src = picture
}
