@echo off
rem The command line of the packaged app: two folders above its resources.
"%~dp0..\..\Understudy.exe" --cli -- %*
