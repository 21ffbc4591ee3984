// One by one: an element of hostile mail may have more children than a call may have arguments.

/** Moves an element's children to the end of another. */
export const moveChildren = (from: ParentNode, to: ParentNode): void => {
  while (from.firstChild !== null) to.append(from.firstChild)
}

/** Replaces an element with one of another tag that has its attributes and children. */
export const rename = (element: Element, tag: string): Element => {
  const renamed = element.ownerDocument.createElement(tag)
  for (const { name, value } of element.attributes) renamed.setAttribute(name, value)
  moveChildren(element, renamed)
  element.replaceWith(renamed)
  return renamed
}

/** Replaces an element with its children. */
export const unwrap = (element: Element): void => {
  while (element.firstChild !== null) element.before(element.firstChild)
  element.remove()
}
