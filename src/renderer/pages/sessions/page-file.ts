export type PageAbout = Readonly<{ title: string; language: string }>;

const OF_PANEL = ['button', 'script', 'style'].join();
/** These attributes mean nothing without the panel. */
const DROPPED = [
  'href',
  'tabindex',
  'aria-controls',
  'aria-expanded',
  'aria-live',
  'data-row',
  'data-why',
  'data-index',
];
/** Rules for the whole page. */
const FOR_ALL = /^(?:\*|:root|html|body)(?![\w-]*\[)/;

/** Creates a standalone page without scripts and controls. Its policy allows only these styles, by hash. */
export async function pageFile(content: Element, about: PageAbout): Promise<string> {
  const page = document.createElement('main');
  page.className = 'page-file';
  for (const child of content.childNodes) page.append(child.cloneNode(true));
  for (const control of page.querySelectorAll(OF_PANEL)) control.remove();
  const own = classesForStyles(page);
  for (const element of page.querySelectorAll('*')) for (const name of DROPPED) element.removeAttribute(name);
  for (const details of page.querySelectorAll('details')) details.open = true;
  for (const link of page.querySelectorAll('a')) link.replaceWith(spanOf(link));
  // Former attributes outweigh all rules.
  const style = `@layer{\n${rulesFor(page)}\n}\n${own}`;
  return textOf(page, style, await policyFor(style), about);
}

/** Links lead nowhere outside of the panel; their text stays. */
function spanOf(link: Element): Element {
  const span = document.createElement('span');
  span.className = link.className;
  span.append(...link.childNodes);
  return span;
}

/** A policy by hash forbids style attributes: convert them to classes. */
function classesForStyles(page: Element): string {
  const classes = new Map<string, string>();
  for (const element of page.querySelectorAll<HTMLElement>('[style]')) {
    const style = element.style.cssText;
    element.removeAttribute('style');
    if (style === '') continue;
    const name = classes.get(style) ?? `at-${classes.size + 1}`;
    classes.set(style, name);
    element.classList.add(name);
  }
  return [...classes].map(([style, name]) => `.${name} { ${style} }`).join('\n');
}

function rulesFor(page: Element): string {
  return [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules].map((rule) => usedRule(rule, page)))
    .join('\n');
}

function usedRule(rule: CSSRule, page: Element): string {
  if (rule instanceof CSSStyleRule) {
    const selectors = splitSelectors(rule.selectorText).filter((selector) => isUsed(selector, page));
    return selectors.length === 0 ? '' : `${selectors.join(', ')} { ${rule.style.cssText} }`;
  }
  if (!(rule instanceof CSSGroupingRule)) return '';
  const inner = [...rule.cssRules].map((each) => usedRule(each, page)).filter((text) => text !== '');
  // Keeps the condition's source text.
  return inner.length === 0 ? '' : `${rule.cssText.slice(0, rule.cssText.indexOf('{'))} {\n${inner.join('\n')}\n}`;
}

const splitSelectors = (text: string): readonly string[] =>
  text.split(/,(?![^(]*\))/).map((selector) => selector.trim());

function isUsed(selector: string, page: Element): boolean {
  if (FOR_ALL.test(selector)) return !selector.includes('[');
  // A file shows no pointer and keyboard states.
  if (/:(?:hover|focus|active)/.test(selector)) return false;
  const plain = selector.replace(/::[\w-]+/g, '');
  try {
    return plain.trim() === '' || page.matches(plain) || page.querySelector(plain) !== null;
  } catch {
    // silent: a selector that this browser does not read styles nothing
    return false;
  }
}

async function policyFor(style: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style));
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
}

/** Builds the document from nodes, so that its text stays text. */
function textOf(page: Element, style: string, policy: string, { title, language }: PageAbout): string {
  const made = document.implementation.createHTMLDocument(title);
  made.documentElement.lang = language;
  const meta = (attributes: Readonly<Record<string, string>>): Element => {
    const element = made.createElement('meta');
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  made.head.prepend(
    meta({ charset: 'utf-8' }),
    meta({ 'http-equiv': 'Content-Security-Policy', content: policy }),
    meta({ name: 'viewport', content: ['width=device-width', 'initial-scale=1'].join() }),
  );
  made.body.append(page);
  // The panel's policy forbids creating style elements, even in a detached document.
  const text = made.documentElement.outerHTML.replace('</head>', () => `<style>${style}</style></head>`);
  return `<!doctype html>\n${text}\n`;
}
