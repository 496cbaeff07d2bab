/** Version from package.json; the bundler inserts it. */
declare const __UNDERSTUDY_VERSION__: string;
